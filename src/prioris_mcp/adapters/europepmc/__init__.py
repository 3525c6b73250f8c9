"""Europe PMC."""
