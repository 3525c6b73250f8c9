"""The sources of papers: how each is named, which identifiers and formats it has, and where a reader goes on."""
