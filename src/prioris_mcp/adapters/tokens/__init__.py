"""Where the tokens that clients show are kept."""
