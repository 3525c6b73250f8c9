"""JATS and NLM XML to Markdown by one walk over the tree; runs in the worker process.

Superscripts and subscripts are written as ``10^7^`` and ``CO~2~``; where these marks cannot stand (around spaces, or
side by side) as ``<sup>`` and ``<sub>``. Literal carets and closing tildes are escaped. Superscripts that cite, and
numbers that cite right after a word, are set in brackets, ``[1,2]``, as the list of references is. Formulas are ``$…$``
and ``$$…$$``, footnotes ``[^1]``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from prioris_mcp.adapters.parsers.jats.article import written
from prioris_mcp.adapters.parsers.jats.load import load
from prioris_mcp.adapters.parsers.markdown.gc_pause import uncollected
from prioris_mcp.adapters.parsers.xml.asset_urls import address_jats
from prioris_mcp.adapters.parsers.xml.nesting import deep_recursion
from prioris_mcp.domain.markdown import Markdown
from prioris_mcp.errors import ParseError


def parse(content: bytes, options: Mapping[str, object], progress: Callable[[int, int], None]) -> Markdown:
    """The Markdown of a JATS document, one leaf; raises ParseError for what is none or says nothing.

    Option: ``files_at``, the address below which the pictures and files are that it names.
    """
    article = load(content)
    address_jats(article, str(options.get("files_at") or ""))
    with uncollected(), deep_recursion():
        text = written(article)
    if not re.search(r"\w", text):
        raise ParseError("the JATS article holds no text")
    progress(1, 1)
    return Markdown.whole(text + "\n")
