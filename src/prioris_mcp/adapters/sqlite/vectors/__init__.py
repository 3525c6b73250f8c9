"""Vectors in SQLite, compared in memory."""
