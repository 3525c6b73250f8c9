"""JATS and NLM XML to Markdown."""
