"""The caller's own files."""
