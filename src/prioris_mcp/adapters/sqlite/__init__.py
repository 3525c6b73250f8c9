"""SQLite, and what processes share through it."""
