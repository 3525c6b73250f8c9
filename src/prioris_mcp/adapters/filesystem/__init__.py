"""Keep the library on a local disk."""
