"""Keep notes in SQLite."""
