"""Results as clients see them."""
