"""Parsers: untrusted bytes become Markdown in worker processes that may be killed at any time."""
