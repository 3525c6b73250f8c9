"""What floats: figures and tables with their captions, films, files to load."""

from __future__ import annotations

from prioris_mcp.adapters.parsers.jats.elements import best_alternative, href
from prioris_mcp.adapters.parsers.jats.text import sentence_end
from prioris_mcp.adapters.parsers.jats.walk import JatsInline, JatsWalk
from prioris_mcp.adapters.parsers.markdown.blocks import MarkdownBlock
from prioris_mcp.adapters.parsers.markdown.text import code, image, link
from prioris_mcp.adapters.parsers.xml.elements import Element, child, children, find, names, tag, text_of

_CAPTION = names("label caption title")
_FIRST = names("graphic")


def caption(inline: JatsInline, node: Element) -> str:
    """Write label, title and text of a caption as one paragraph, the label bold."""
    label = inline.line(child(node, "label")).replace("**", "").rstrip(" .:")
    parts = [f"**{label}.**"] if label else []
    for holder in children(node, "caption", "title"):
        parts += _sentences(inline, holder)
    return " ".join(filter(None, parts))


def _sentences(inline: JatsInline, holder: Element) -> list[str]:
    """Return the title and the paragraphs of a caption, each ending as a sentence but the last."""
    if not children(holder, "title", "p"):
        return [inline.line(holder)]
    texts = [text for part in holder if (text := inline.line(part))]
    return [*map(sentence_end, texts[:-1]), *texts[-1:]]


def _caption_block(inline: JatsInline, node: Element) -> list[MarkdownBlock]:
    text = caption(inline, node)
    return [MarkdownBlock(text)] if text else []


def figure(walk: JatsWalk, node: Element, level: int) -> list[MarkdownBlock]:
    """Write a figure: its pictures, its caption, then whatever else it holds."""
    pictures = [block for part in children(node, "graphic") for block in graphic(walk, part, level)]
    return [*pictures, *_caption_block(walk.inline, node), *walk.blocks(node, level, _CAPTION | _FIRST)]


def captioned(walk: JatsWalk, node: Element, level: int) -> list[MarkdownBlock]:
    """Write anything with a caption above it: tables, groups of figures."""
    return [*_caption_block(walk.inline, node), *walk.blocks(node, level, _CAPTION)]


def graphic(walk: JatsWalk, node: Element, _level: int) -> list[MarkdownBlock]:
    """Write a picture, and its own caption where it has one."""
    above = node.getparent()
    above = above.getparent() if tag(above) == "alternatives" else above
    alternative = next((text_of(alt) for holder in (node, above) for alt in children(holder, "alt-text")), "")
    shown = image(alternative or text_of(child(above, "label")).rstrip(" .:"), href(node))
    return [*([MarkdownBlock(shown)] if shown else []), *_caption_block(walk.inline, node)]


def attachment(walk: JatsWalk, node: Element, level: int) -> list[MarkdownBlock]:
    """Write a file that comes with the article: its caption, then where it is."""
    plain_parts = [part for part in find(node, "media", "graphic", "inline-graphic") if _is_bare(part, node)]
    files = dict.fromkeys(filter(None, map(href, [node, *plain_parts])))
    shown = [link(code(target.rsplit("/", 1)[-1]), target) for target in files]
    text = sentence_end(caption(walk.inline, node)) or ("**Supplementary file.**" if shown else "")
    line = " ".join(filter(None, [text, f"(File: {', '.join(shown)})" if shown else ""]))
    skip = _CAPTION | names("graphic inline-graphic") | (frozenset() if _has_captions(node) else names("media"))
    return [*([MarkdownBlock(line)] if line else []), *walk.blocks(node, level, skip)]


def _has_captions(node: Element) -> bool:
    return any(not _is_bare(part, node) for part in children(node, "media"))


def _is_bare(part: Element, node: Element) -> bool:
    return part is not node and child(part, "caption", "label") is None


def alternatives(walk: JatsWalk, node: Element, level: int) -> list[MarkdownBlock]:
    """Write the one form, of several, that says most."""
    best = best_alternative(node)
    return walk.block(best, level) if best is not None else []
