"""The library on a local disk."""
