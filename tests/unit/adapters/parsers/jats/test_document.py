"""Whole JATS documents: what is refused, what does no harm, what counts as a full text, real documents."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prioris_mcp.adapters.parsers.jats.load import has_full_text
from prioris_mcp.adapters.parsers.workers.backends import JatsMarkdownBackend
from prioris_mcp.adapters.parsers.workers.pool import WorkerPool
from prioris_mcp.adapters.parsers.xml.elements import names
from prioris_mcp.errors import ParseError
from tests.corpus import SHARED, needs_corpus
from tests.unit.adapters.parsers.jats.nlm import article, convert, parse_text


@pytest.mark.anyio
async def test_backend(pool: WorkerPool) -> None:
    """The backend parses in a worker process and says which code it is."""
    backend = JatsMarkdownBackend(pool, seconds=60, memory=1 << 30)
    assert (await backend.parse(article("<p>x</p>").encode())).text == "# T\n\nx\n"
    assert backend.version.startswith("lxml-jats+")


def test_named_characters() -> None:
    """Names of characters are read without their DTD, unknown ones stay text, sections of CDATA stay as they are."""
    assert convert("<p>a&nbsp;b&alpha;&Eacute; &amp; &foo; <![CDATA[&beta; <b>]]></p>") == (
        r"a bαÉ & \&foo; \&beta; \<b>"
    )


@pytest.mark.parametrize(
    "subset",
    [
        '<!ENTITY x SYSTEM "file:///etc/hostname">',
        '<!ENTITY % y SYSTEM "http://127.0.0.1:9/x.dtd"> %y; <!ENTITY x "z">',
        '<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY x "&b;&b;&b;&b;&b;&b;&b;&b;">',
    ],
)
def test_entities_are_not_expanded(subset: str) -> None:
    """Entities that a document declares are neither loaded nor expanded, in text and in attributes."""
    document = article('<p id="&x;">&x;</p>', doctype=f"<!DOCTYPE article [{subset}]>")
    assert parse_text(document) == "# T\n\n\\&x;\n"


@pytest.mark.parametrize("name", ["sec", "italic", "list-item", "boxed-text", "mml:mrow"])
def test_depth(name: str) -> None:
    """Nesting up to the bound is read in full, beyond it is an error and never an empty result."""
    assert "deep" in convert(f"<p>{f'<{name}>' * 200}deep{f'</{name}>' * 200}</p>")
    for depth in (255, 3000):
        with pytest.raises(ParseError, match="nested more than 250 levels"):
            convert(f"<{name}>" * depth + "deep" + f"</{name}>" * depth)


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "not well-formed"),
        (b"%PDF-1.7", "not well-formed"),
        (article("<p>cut")[:-30].encode(), "not well-formed"),
        (article('<p a="1" a="2"/>').encode(), "not well-formed"),
        (b"<html><body><p>x</p></body></html>", "no JATS article"),
        (b"<article><front/><body/></article>", "no text"),
        (b" " * ((64 << 20) + 1), "larger than 64 MiB"),
    ],
)
def test_what_is_refused(content: bytes, sentence: str) -> None:
    """What is no JATS, or was cut short, is an error that says so."""
    with pytest.raises(ParseError, match=sentence):
        parse_text(content)


@pytest.mark.parametrize(
    "content",
    [
        "  \n" + article("<p>é</p>"),
        article("<p>é</p>").encode("utf-16"),
        article("<p>é</p>").replace('"1.0"?', '"1.0" encoding="iso-8859-1"?').encode("latin-1"),
        f"<OAI-PMH><record><metadata>{article('<p>é</p>').partition('?>')[2]}</metadata></record></OAI-PMH>",
    ],
)
def test_wrappings(content: bytes | str) -> None:
    """Encodings, leading blanks and envelopes around the article make no difference."""
    assert parse_text(content) == "# T\n\né\n"


def test_undeclared_prefix() -> None:
    """A prefix that nobody declared costs nothing."""
    document = '<article><body><p><ext-link xlink:href="https://a.example">x</ext-link></p></body></article>'
    assert parse_text(document) == "[x](https://a.example)\n"


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        (article("<p>x</p>"), True),
        (article("<sec><p><italic>x</italic></p></sec>"), True),
        (article("&hellip;"), True),
        (article("<p>x</p>").encode("utf-16"), True),
        ("<article><sub-article><body><p>x</p></body></sub-article></article>", True),
        (article(""), False),
        (article("<sec><title>Only a title</title><p> </p></sec>"), False),
        ("<article><front><abstract><p>x</p></abstract></front></article>", False),
        ("<html><body><p>x</p></body></html>", False),
        ("<!DOCTYPE html><html><body><article><body><p>Back at noon</p></body></article></body></html>", False),
        (article("<p>x</p>").removesuffix("</article>"), False),
        (b"\xff\x00junk", False),
        (b"", False),
    ],
)
def test_full_text(document: bytes | str, expected: bool) -> None:
    """A record is a full text when a body in it says something; anything else is none, and no error."""
    assert has_full_text(document.encode() if isinstance(document, str) else document) is expected


_NAMES = sorted(
    names(
        "p sec title fig caption list list-item def-list table-wrap table tr td disp-quote boxed-text fn-group "
        "ref-list ref mixed-citation element-citation name disp-formula tex-math alternatives supplementary-material "
        "statement verse-group sup bold italic fn xref ack app"
    )
)
_PIECES = st.sampled_from([
    *(f"<{name}>" for name in _NAMES), *(f"</{name}>" for name in _NAMES), "&lt;b&gt;", "&x;", *"$^~*[](", " ", "text",
])  # fmt: skip


@given(st.binary(max_size=300) | st.lists(_PIECES, max_size=30).map(lambda pieces: article("".join(pieces)).encode()))
@settings(deadline=None, max_examples=400)
def test_any_bytes_give_markdown_or_parse_error(content: bytes) -> None:
    """Whatever the bytes, the answer is Markdown without live tags, or a ParseError; and the other question answers."""
    has_full_text(content)
    try:
        text = parse_text(content)
    except ParseError:
        return
    text.encode("utf-8")
    assert not re.search(r"(?<!\\)<(?!/?su[bp]>)[a-z/!?]", re.sub(r"`+[^`]*`+|\$[^$]*\$", "", text))


@given(st.data())
@settings(deadline=None, max_examples=200)
def test_nested_elements_of_every_kind(data: st.DataObject) -> None:
    """However known elements are nested, also against the rules, their text comes out."""
    chosen = data.draw(st.lists(st.sampled_from(_NAMES), max_size=8))
    content = "".join(f"<{name}>" for name in chosen) + "word" + "".join(f"</{name}>" for name in reversed(chosen))
    assert "# T" in parse_text(article(f"<p>before</p>{content}"))


class TestCases:
    """The acceptance cases."""

    pytestmark = needs_corpus

    @pytest.fixture
    def text(self) -> str:
        """The Markdown of the case with a bit of everything."""
        return parse_text((SHARED / "cases" / "jats_all.xml").read_bytes())

    def test_front(self, text: str) -> None:
        """The title first, scripts kept, the abstract before the graphical one."""
        assert text.startswith("# CO~2~ uptake in *E. coli*\n\n**Authors:** A B Smith\n")
        assert "Rate was 1.73 m^2^ (P<0.001) and n>5." in text
        assert text.index("Rate was") < text.index("GRAPHICAL-ABSTRACT-ONLY") < text.index("LEAD-PARAGRAPH")

    def test_sections(self, text: str) -> None:
        """Each section one level below the one around it, the lead paragraph before the first."""
        headings = ["## Introduction", "### Level two", "#### Level three", "##### Level four"]
        places = [text.index(f"\n{heading}\n") for heading in headings]
        assert places == sorted(places) and text.index("LEAD-PARAGRAPH") < places[0]

    def test_floats(self, text: str) -> None:
        """Tables and figures where they stand, with their cells, spans and notes."""
        assert re.search(r"Before table\n\n\*\*Table 1\.\*\*[^|]*\| Arm \| N \|.*\n.*\n\| Placebo \| 12 \|", text)
        assert "| Drug | 34 |\n\nafter table." in text
        assert "| A | B | B |\n| --- | --- | --- |\n| A | 3 | 4 |\n\n- TABLE-FOOTNOTE-X" in text
        assert "FLOATCELL" in text and "APPCELL" in text
        assert "**Fig. 1.** FIGCAP." in text and "\nresumes here." in text

    def test_formula_and_values(self, text: str) -> None:
        """The formula once, without its preamble; numbers as they are."""
        assert len(re.findall(r"E\s*=\s*mc\^2", text)) == 1 and "documentclass" not in text
        assert "4002.e26" in text and "0042" in text

    def test_references(self, text: str) -> None:
        """Two references, each once, their identifiers apart."""
        entries = re.findall(r"(?m)^- \[\d\] .*$", text)
        assert len(entries) == 2
        assert "10.1/ABC" in entries[0] and "PMID:123" in entries[1] and "doi:10.2/xyz" in entries[1]

    def test_front_matter_is_not_full_text(self) -> None:
        """The record without a body is told from the article."""
        cases = SHARED / "cases"
        assert not has_full_text((cases / "jats_nobody.xml").read_bytes())
        assert has_full_text((cases / "jats_all.xml").read_bytes())


def _documents() -> list[Path]:
    return sorted((SHARED / "corpus" / "jats").glob("*.xml"))


class TestDocuments:
    """Real documents."""

    pytestmark = needs_corpus

    @pytest.mark.parametrize("path", _documents(), ids=lambda path: path.stem)
    def test_document(self, path: Path) -> None:
        """A real document starts with its title, and debug text never shows; one is refused for not being XML."""
        if path.stem == "pandoc_jats_reader":
            with pytest.raises(ParseError, match="not well-formed"):
                parse_text(path.read_bytes())
            return
        text = parse_text(path.read_bytes())
        assert text.startswith("# ")
        assert "\\documentclass" not in text and "label needed" not in text
