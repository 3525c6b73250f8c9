"""Keep the indexes in step with the library."""
