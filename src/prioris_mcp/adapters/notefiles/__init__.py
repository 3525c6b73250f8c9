"""Keep notes as Markdown files that people and other programs read and change."""
