"""Ports: what the application asks of the world outside it."""
