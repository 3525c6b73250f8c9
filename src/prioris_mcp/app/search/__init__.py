"""Search in the full text and by meaning, their fusion, and the passages that are shown."""
