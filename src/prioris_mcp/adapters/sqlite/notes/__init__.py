"""Notes in SQLite."""
