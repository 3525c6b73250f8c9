"""Markdown as every parser writes it: text, blocks, tables, and what makes it safe to show."""
