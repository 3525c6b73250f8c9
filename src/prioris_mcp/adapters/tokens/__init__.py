"""Keep the tokens that clients show."""
