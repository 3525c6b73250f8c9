"""Sanitize parsed text: nothing that could wedge a connection or mislead a reader passes.

Workers do so with all that they answer; the server, which does not trust them, again with the errors that it shows.
"""

from __future__ import annotations

import re
from dataclasses import replace

from prioris_mcp.domain.markdown import Markdown

_LINE_ENDS = re.compile("\r\n?|[\v\f\x85\u2028\u2029]")
_REMOVED = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
"""Control characters other than line feed and tab, and the marks that reorder text for the eye only."""


def sanitize(text: str) -> str:
    """Return *text* with line feeds only, without control characters, marks that reorder it, and lone surrogates."""
    text = _LINE_ENDS.sub("\n", text)
    text = _REMOVED.sub("", text)
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def sanitize_pages(markdown: Markdown) -> Markdown:
    """Sanitize every page of *markdown*, its leaves counted anew."""
    if not markdown.paged:
        return Markdown.whole(sanitize(markdown.text))
    pages = Markdown.of_pages([sanitize(markdown.text[leaf.start : leaf.end]) for leaf in markdown.leaves])
    return replace(pages, images=markdown.images)
