"""PriorisMCP: find, fetch, read, search, cite and annotate prior art, over the Model Context Protocol."""

__version__ = "0.1.0"
