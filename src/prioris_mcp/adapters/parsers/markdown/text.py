"""Text that means itself in Markdown: escapes, white space, fences and link targets."""

from __future__ import annotations

import re
from functools import lru_cache

_INVISIBLE = re.compile("[\u00ad\u200b\u2060-\u2064\ufeff]")
_SPACE = re.compile(r"[\s\u00a0]+")
# An underscore inside a word is no emphasis; a less-than sign matters only where it would open a tag. At the end of a
# text the next element goes on, and nobody knows with what.
_SPECIAL = re.compile(
    r"\\(?=[!-/:-@\[-`{-~]|\Z)|[`*$]|(?<![^\W_])_|_(?![^\W_])|<(?=[A-Za-z/!?]|\Z)|&(?=#?\w+;)|"
    r"(?<=\])(?=\()|\[(?=\^)"
)
_FOLDED = re.compile(r"[^\S ]|  ")
"""White space other than single spaces."""
_MAY_MEAN_MORE = re.compile(r"[\\`*$_<&\[\]]")
"""What Markdown may take for a sign of its own; most text has none, and a set of signs is found fast."""
_STARTS_BLOCK = re.compile(r"^(?:#{1,6}(?=\s|$)|[>+-](?=\s|$)|>|[=~]{3,}|-{2,}$|\|)")
_STARTS_NUMBER = re.compile(r"^(\d{1,9})([.)])(?=\s|$)")
_LINKED = re.compile(r"(?:https?|mailto|ftp):[^\s]+", re.IGNORECASE)
_SCHEME = re.compile(r"[a-zA-Z][\w+.-]*:")
_TEX_COMMENT = re.compile(r"(?<!\\)%[^\n]*(?:\n|$)")
_TEX_STYLE = re.compile(r"^(?:\\(?:display|text)style(?![A-Za-z])\s*)+")
_DOLLAR = re.compile(r"(?<!\\)\$")
_IN_DOLLARS = re.compile(r"(?<!\\)\$([^$]*)\$")
_TAG_LIKE = re.compile(r"<(?=[A-Za-z/!?])")
_IN_TARGET = {" ": "%20", "(": "%28", ")": "%29", "<": "%3C", ">": "%3E", "\\": "%5C", "|": "%7C", "\n": "", "\t": ""}


def escape(text: str) -> str:
    """Escape *text* so that Markdown shows it as it is; white space becomes single spaces."""
    if text.isspace():
        return " "
    if not text.isascii():
        text = _INVISIBLE.sub("", text)
    if _FOLDED.search(text):
        text = _SPACE.sub(" ", text)
    return _SPECIAL.sub(r"\\\g<0>", text) if _MAY_MEAN_MORE.search(text) else text


def tidy(markup: str) -> str:
    """Return inline Markdown without doubled spaces; paragraph breaks stay."""
    if not _FOLDED.search(markup):
        return markup.strip()
    markup = re.sub(r"[ \t]*\n[ \t]*", "\n", markup)
    return re.sub(r"[ \t]+", " ", markup).strip()


def one_line(markup: str) -> str:
    """Return inline Markdown on one line, display formulas made inline."""
    if not _FOLDED.search(markup):
        return markup.strip()
    return re.sub(r"\s+", " ", re.sub(r"\n\n\$\$(.*?)\$\$\n\n", r" $\1$ ", markup)).strip()


@lru_cache(8192)
def one_line_tex(tex: str) -> str:
    """Return TeX on one line, without comments, style switches and dollars.

    Cached, since a page asks twice for each of its formulas.
    """
    tex = _TEX_STYLE.sub("", " ".join((_TEX_COMMENT.sub("", tex) if "%" in tex else tex).split()))
    if "<" in tex:
        # Where mathematics is not rendered, "a<b" would open a tag.
        tex = _TAG_LIKE.sub("< ", tex)
    if "$" in tex:
        # A dollar inside (as in \text{for $x$}) would end the formula for most readers of Markdown.
        tex = _DOLLAR.sub("", _IN_DOLLARS.sub(r"\\(\1\\)", tex))
    return tex


def paragraph(markup: str) -> str:
    """Return a paragraph that does not start as something else would."""
    markup = _STARTS_NUMBER.sub(r"\1\\\2", markup)
    return "\\" + markup if _STARTS_BLOCK.match(markup) else markup


def fenced(text: str, language: str = "") -> str:
    """Return a code block; its fence is longer than any inside."""
    mark = "`" * max(3, _longest_ticks(text) + 1)
    return f"{mark}{language}\n{text}\n{mark}"


def code(text: str) -> str:
    """Return a code span of text on one line."""
    text = " ".join(text.split())
    if not text:
        return ""
    ticks = "`" * (_longest_ticks(text) + 1)
    pad = " " if len(ticks) > 1 else ""
    return f"{ticks}{pad}{text}{pad}{ticks}"


def _longest_ticks(text: str) -> int:
    return max(map(len, re.findall("`+", text)), default=0)


def emphasised(markup: str, mark: str) -> str:
    """Set markup in emphasis, spaces kept outside; leave it as it is where emphasis could not be closed again."""
    inner = markup.strip()
    if not re.search(r"\w", inner) or "\n" in inner or re.search(r"(?<!\\)\*", inner):
        return markup
    lead, trail = markup[: len(markup) - len(markup.lstrip())], markup[len(markup.rstrip()) :]
    return f"{lead}{mark}{inner}{mark}{trail}"


def link(markup: str, target: str) -> str:
    """Return a link where the target leads out of the document, the text alone elsewhere."""
    target = target.strip()
    if not markup.strip() or not _LINKED.fullmatch(target) or target.lower().startswith("mailto:"):
        return markup
    shown = markup.replace("\\", "").replace("`", "").strip()
    if shown.rstrip("/") == target.rstrip("/") and not re.search(r"[<>\s]", target):
        return f"<{target}>"
    if markup.count("[") != markup.count("]"):
        markup = re.sub(r"(?<!\\)([\[\]])", r"\\\1", markup)
    return f"[{markup}]({_target(target)})"


def image(alternative: str, source: str) -> str:
    """Return an image with a real address; nothing for embedded data."""
    source = source.strip()
    if not source or (_SCHEME.match(source) and not re.match(r"https?://", source, re.IGNORECASE)):
        return ""
    alternative = "" if alternative.strip().lower() == "refer to caption" else alternative
    return f"![{escape(alternative).strip()}]({_target(source)})"


def _target(address: str) -> str:
    return "".join(_IN_TARGET.get(sign, sign) for sign in address)
