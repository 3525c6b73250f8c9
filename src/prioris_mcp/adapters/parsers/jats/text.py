"""Text of JATS as Markdown, and its superscripts and subscripts."""

from __future__ import annotations

import re

from prioris_mcp.adapters.parsers.markdown.text import escape as escape_markdown
from prioris_mcp.adapters.parsers.markdown.text import one_line

_MARKS = {"sup": "^", "sub": "~"}
# A tilde that can only open, as in "about ~5 mg", is left alone.
_SCRIPT_SIGNS = re.compile(r"\^|(?<![\s(])~|~(?=\S{0,200}\Z)")
_PLAIN_SCRIPT = re.compile(r"[^\s^~\[\]$|`<>]{1,40}")
_ENDS_WORD, _ENDS_PHRASE = re.compile(r"[^\W_][*_~^]*\Z"), re.compile(r"[.,;:?!)\]]\**\Z")
_STARTS_WORD = re.compile(r"[*_]*[^\W_]")
_SCRIPT = re.compile(r"\A([\^~])([^\s^~]+)\1")
_BOLD = re.compile(r"(?<!\\)\*\*")
_NOTE_MARKS = re.compile(r"\[\^\d+\]")
_TAG = re.compile(r"\s*\\tag\{([^{}]*)\}\$")


def escape(text: str) -> str:
    """Escape *text* so that Markdown with scripts shows it as it is."""
    shown = escape_markdown(text)
    return _SCRIPT_SIGNS.sub(r"\\\g<0>", shown) if "^" in shown or "~" in shown else shown


class Running:
    """Running text in pieces, each added with regard to the one before it."""

    def __init__(self, text: str | None = "") -> None:
        """Start with the text before the first element."""
        self.parts = [escape(text or "")]

    def add_text(self, text: str | None) -> None:
        """Add the text after an element."""
        if shown := escape(text or ""):
            # Brackets side by side would make a link of them.
            self.parts.append("\\" + shown if shown.startswith("(") and self.parts[-1].endswith("]") else shown)

    def add(self, piece: str, gap: str = "") -> None:
        """Add the Markdown of an element; emphasis that goes on from the element before is one emphasis."""
        stars, before = _stars(piece), self.parts[-1]
        if stars and _stars(before) == stars and before.endswith(stars) and len(before) > 2 * len(stars):
            self.parts[-1] = before[: -len(stars)] + piece[len(stars) :]
            return
        # "[^" would open a footnote, and a mark right after its like would belong to both.
        if before.endswith(("[", piece[:1])) and not before.endswith("\\" + piece[:1]):
            piece = _SCRIPT.sub(_spelled_out, piece)
        if gap and _STARTS_WORD.match(piece):
            piece = (gap if _ENDS_WORD.search(before) else " " if _ENDS_PHRASE.search(before) else "") + piece
        self.parts.append(piece)


def _stars(piece: str) -> str:
    return piece[: len(piece) - len(piece.lstrip("*"))]


def script(markup: str, name: str) -> str:
    """Return a superscript or subscript; the marks take neither spaces nor marks inside them."""
    mark = _MARKS[name]
    if _PLAIN_SCRIPT.fullmatch(markup):
        return f"{mark}{markup}{mark}"
    return f"<{name}>{markup}</{name}>" if markup else ""


def _spelled_out(match: re.Match[str]) -> str:
    name = "sup" if match[1] == _MARKS["sup"] else "sub"
    return f"<{name}>{match[2]}</{name}>"


def on_line(markup: str) -> str:
    """Return inline Markdown on one line; a formula that was displayed keeps its number beside it."""
    return _TAG.sub(r"$ (\1)", one_line(markup))


def title_text(markup: str) -> str:
    """Return inline Markdown fit for a heading: not bold, not italic as a whole."""
    text = _BOLD.sub("", markup).strip()
    whole = re.fullmatch(r"\*([^*]+)\*", text)
    return whole[1] if whole else text


def without_notes(markup: str) -> str:
    """Return inline Markdown without the marks of footnotes."""
    return _NOTE_MARKS.sub("", markup)


def sentence_end(markup: str) -> str:
    """End markup as a sentence does."""
    text = markup.strip()
    return text if not text or text.rstrip("*_\"”'’")[-1:] in ".?!" else f"{text}."
