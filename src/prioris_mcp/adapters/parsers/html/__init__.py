"""HTML to Markdown: arXiv's pages, made by LaTeXML or written by authors."""
