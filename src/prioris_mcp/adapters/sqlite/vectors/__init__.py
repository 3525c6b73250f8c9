"""Keep vectors in SQLite, and compare them in memory."""
