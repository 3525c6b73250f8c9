"""Run models that turn text into vectors."""
