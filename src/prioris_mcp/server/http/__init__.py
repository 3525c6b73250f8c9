"""What is special to HTTP: tokens, limits, sessions, and what stands before the endpoint."""
