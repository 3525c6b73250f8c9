"""Keep, search, export and merge notes."""
