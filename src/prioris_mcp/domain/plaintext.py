"""Turn titles and abstracts into plain text: keep what their markup meant, and drop the markup."""

from __future__ import annotations

import html
import re

_REST = r"""(?:\s+[\w:-]+\s*=\s*(?:"[^"]*"|'[^']*'))*\s*/?>"""
"""Match the rest of a tag behind its name: attributes with their values, so that ``a<b and c>d`` is no tag."""
_PREFIX = r"(?:jats:|mml:|m:|xhtml:)?"
_SUP = re.compile(rf"<{_PREFIX}sup{_REST}", re.IGNORECASE)
_LABEL = re.compile(rf"<(h\d|(?:jats:)?title){_REST}\s*(.*?)\s*:?\s*</\1>", re.IGNORECASE | re.DOTALL)
_BREAK = re.compile(rf"</?{_PREFIX}(?:p|div|br|li|ul|ol|title|sec|list|list-item){_REST}", re.IGNORECASE)
_SOURCE = re.compile(rf"<({_PREFIX}(?:annotation|annotation-xml|tex-math)){_REST}.*?</\1>", re.IGNORECASE | re.DOTALL)
"""Match a formula given once more, in another language."""
_MARKUP = re.compile(
    rf"</?(?:{_PREFIX}(?:i|b|u|em|strong|sub|sup|span|a|italic|bold|sc|scp|tt|small|roman|monospace|underline|font|"
    r"ext-link|xref|inline-formula|disp-formula|inline-graphic|alternatives|styled-content|named-content|math|mrow|mi|"
    r"mo|mn|ms|mtext|mspace|msub|msup|msubsup|mfrac|msqrt|mroot|mover|munder|munderover|mstyle|mfenced|mpadded|"
    r"mtable|mtr|mtd|semantics|mmultiscripts|mprescripts|none|abstract)|(?:mml|jats):[a-z-]+)"
    rf"{_REST}",
    re.IGNORECASE,
)
_SOFT_HYPHEN = "\u00ad"


def plain(text: str) -> str | None:
    """Return *text* without its markup, but with what that meant: section labels, and powers as ``10^7``.

    Drop markup that was escaped as well. Return None where nothing is left.
    """
    once = html.unescape(_bare(text))
    return " ".join(_bare(once).replace(_SOFT_HYPHEN, "").split()) or None


def _bare(text: str) -> str:
    if "<" not in text:
        return text
    labelled = _LABEL.sub(r" \2: ", _SOURCE.sub("", text))
    return _MARKUP.sub("", _BREAK.sub(" ", _SUP.sub("^", labelled)))
