"""What the application asks of the outside."""
