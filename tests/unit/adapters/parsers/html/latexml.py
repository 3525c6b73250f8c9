"""HTML as LaTeXML writes it, in small pieces for tests, and its conversion."""

from __future__ import annotations

from prioris_mcp.adapters.parsers.html.document import parse


def convert(body: str, *, title: str = "A Title") -> str:
    """The Markdown below the title of a LaTeXML document with this body."""
    head = f'<h1 class="ltx_title ltx_title_document">{title}</h1>'
    page = f'<html><body><article class="ltx_document">{head}{body}</article></body></html>'
    text = parse_text(page.encode())
    assert text.startswith(f"# {title}\n\n")
    return text.removeprefix(f"# {title}\n\n").removesuffix("\n")


def parse_text(content: bytes) -> str:
    """The Markdown of a page."""
    result = parse(content, {}, lambda done, total: None)
    assert not result.paged and [leaf.length for leaf in result.leaves] == [len(result.text)]
    return result.text


def p(text: str) -> str:
    """A LaTeXML paragraph."""
    return f'<div class="ltx_para"><p class="ltx_p">{text}</p></div>'


def math(tex: str, display: str = "inline") -> str:
    """A LaTeXML formula with presentation, content and annotation."""
    return (
        f'<math alttext="{tex}" display="{display}"><semantics><mi>PRESENTATION</mi>'
        f'<annotation-xml encoding="MathML-Content"><ci>CONTENT</ci></annotation-xml>'
        f'<annotation encoding="application/x-tex">{tex}</annotation></semantics></math>'
    )


def note(text: str, role: str = "footnote", mark: str = "1") -> str:
    """A LaTeXML note."""
    return (
        f'<span class="ltx_note ltx_role_{role}"><sup class="ltx_note_mark">{mark}</sup><span class="ltx_note_outer">'
        f'<span class="ltx_note_content"><sup class="ltx_note_mark">{mark}</sup>'
        f'<span class="ltx_tag ltx_tag_note">{mark}</span>{text}</span></span></span>'
    )
