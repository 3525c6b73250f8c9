"""Full-text search by SQLite's FTS5."""
