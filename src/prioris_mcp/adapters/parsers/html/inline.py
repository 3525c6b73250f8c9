"""What stands inside a paragraph: text, emphasis, links, formulas, images, scripts and the marks of footnotes."""

from __future__ import annotations

from collections.abc import Callable

from prioris_mcp.adapters.parsers.html.elements import classes, is_blocky, is_dropped, with_class
from prioris_mcp.adapters.parsers.html.math import formula
from prioris_mcp.adapters.parsers.markdown.text import code, emphasised, escape, image, link, one_line
from prioris_mcp.adapters.parsers.xml.elements import Element, names, plain, tag

_EMPHASIS = {"b": "**", "strong": "**", "i": "*", "em": "*"}
_EMPHASIS_CLASSES = {"ltx_font_bold": "**", "ltx_font_italic": "*", "ltx_emph": "*"}
_CODE_TAGS = names("code tt kbd samp")
_APART = names("ltx_bibblock ltx_tag ltx_td ltx_tr ltx_personname ltx_contact ltx_listingline ltx_indexrefs")


class HtmlInline:
    """Writes inline Markdown and collects the footnotes it meets."""

    def __init__(self, root: Element) -> None:
        """Start without footnotes, but with those of *root* whose text stands apart from its mark."""
        self.notes: list[str] = []
        marked = {_mark_of(node) for node in with_class(root, "ltx_role_footnotemark")}
        self._apart = {
            mark: text
            for text in with_class(root, "ltx_role_footnotetext")
            if (mark := _mark_of(text)) and mark in marked
        }
        self._met: dict[str, str] = {}

    def children(self, node: Element) -> str:
        """Write the inline Markdown of everything inside *node*, spaces as they come."""
        parts = [escape(node.text or "")]
        for child in node:
            parts += [self.element(child), escape(child.tail or "")]
        return "".join(parts)

    def line(self, node: Element) -> str:
        """Write the inline Markdown of everything inside *node* on one line."""
        return one_line(self.children(node))

    def element(self, node: Element) -> str:
        """Write the inline Markdown of one element."""
        name, marks = tag(node), classes(node)
        if name == "math":
            return formula(node)
        if is_dropped(node):
            return ""
        if "ltx_note" in marks:
            return self._note(node)
        if writer := _BY_TAG.get(name):
            return writer(self, node)
        return self._text(node, name, marks)

    def _text(self, node: Element, name: str, marks: frozenset[str]) -> str:
        if (name in _CODE_TAGS or "ltx_font_typewriter" in marks) and len(node) == 0:
            return code(plain(node))
        text = self.children(node)
        if mark := _mark(node, name, marks):
            return emphasised(text, mark)
        return f" {text} " if is_blocky(node) or not _APART.isdisjoint(marks) else text

    def definitions(self) -> str:
        """Return the footnotes met so far, one a line."""
        return "\n".join(f"[^{number}]: {text}" for number, text in enumerate(self.notes, 1))

    def script(self, node: Element) -> str:
        """Write a superscript or subscript; Markdown has no other sign for them that all readers know."""
        text = self.line(node)
        return f"<{tag(node)}>{text}</{tag(node)}>" if text else ""

    def link(self, node: Element) -> str:
        """Write a link that leads out of the document, or the text of one that does not."""
        text = self.children(node)
        return text if "ltx_ref_tag" in classes(node) else link(text, node.get("href") or "")

    def _note(self, node: Element) -> str:
        """Write the mark of a footnote, its text kept for the end; one that repeats another's stays a superscript."""
        content = next(with_class(node, "ltx_note_content"), None)
        if content is None or self._apart.get(_mark_of(node)) is node:
            return ""
        if "ltx_role_footnotemark" in classes(node):
            return self._mark_apart(_mark_of(node))
        return self._kept(content)

    def _kept(self, content: Element) -> str:
        """Keep the text of a note, and give its mark."""
        # Its number is taken before its text is read, which may hold further notes.
        mark = self.footnote("")
        self.notes[int(mark[2:-1]) - 1] = self.line(content)
        return mark

    def _mark_apart(self, mark: str) -> str:
        """Write the mark of a footnote whose text stands elsewhere; or a superscript, where it stands nowhere."""
        if mark in self._apart and mark not in self._met:
            self._met[mark] = self._kept(next(with_class(self._apart[mark], "ltx_note_content"), self._apart[mark]))
        return self._met.get(mark) or (f"<sup>{escape(mark)}</sup>" if mark else "")

    def footnote(self, text: str) -> str:
        """Keep *text* for the end of the page, and give the mark that refers to it."""
        self.notes.append(text)
        return f"[^{len(self.notes)}]"


def _mark_of(note: Element) -> str:
    """Return the number or sign by which a footnote is referred to."""
    mark = next(with_class(note, "ltx_note_mark", "ltx_tag_note"), None)
    return plain(mark) if mark is not None else ""


def _mark(node: Element, name: str, marks: frozenset[str]) -> str:
    if mark := _EMPHASIS.get(name):
        return mark
    # LaTeXML sets the body of a theorem in italics piece by piece between its formulas: that is no emphasis.
    if "ltx_font_italic" in marks and any("ltx_theorem" in classes(above) for above in node.iterancestors()):
        return ""
    return next((mark for name, mark in _EMPHASIS_CLASSES.items() if name in marks), "")


def _image(_inline: HtmlInline, node: Element) -> str:
    return image(node.get("alt") or "", node.get("src") or "")


def _break(_inline: HtmlInline, _node: Element) -> str:
    return " "


_BY_TAG: dict[str, Callable[[HtmlInline, Element], str]] = {
    "br": _break,
    "img": _image,
    "sup": HtmlInline.script,
    "sub": HtmlInline.script,
    "a": HtmlInline.link,
}
