"""doi.org."""
