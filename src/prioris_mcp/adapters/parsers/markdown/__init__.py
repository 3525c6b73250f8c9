"""Markdown as the parsers write it: text, blocks and tables, made safe to show."""
