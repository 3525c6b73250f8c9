"""arXiv's answers, decoded."""

from __future__ import annotations

import json

import pytest

from prioris_mcp.adapters.arxiv import atom, files, oai
from prioris_mcp.adapters.http.gateway import Answer
from prioris_mcp.domain.documents import DocumentKey, ProviderName, SourceFormat
from prioris_mcp.errors import FormatUnavailableError, ProviderUnavailableError
from tests.corpus import UPSTREAM, needs_corpus

PDF = DocumentKey(ProviderName("arxiv"), "2106.09685v2", SourceFormat.PDF)
HTML = DocumentKey(ProviderName("arxiv"), "2106.09685v2", SourceFormat.HTML)
ENTRY = """
<entry><id>http://arxiv.org/abs/2106.09685v2</id><title> Low\n  rank </title><summary>
 Words. </summary><published>2021-06-17T17:37:18Z</published><updated>2021-10-16T18:40:34Z</updated>
<link href="https://doi.org/10.1/x" rel="related" title="doi"/>
<link href="https://arxiv.org/pdf/2106.09685v2" rel="related" type="application/pdf" title="pdf"/>
<arxiv:doi>10.1/x</arxiv:doi><arxiv:doi>10.2/y</arxiv:doi><arxiv:comment>two\nlines</arxiv:comment>
<arxiv:primary_category term="cs.CL"/><category term="cs.CL"/><category term="cs.LG"/><category term="cs.CL"/>
<author><name>A. Author</name><arxiv:affiliation>Here</arxiv:affiliation></author><author><name>B</name></author>
</entry>"""


def feed(*entries: str) -> bytes:
    head = (
        '<feed xmlns="http://www.w3.org/2005/Atom" xmlns:arxiv="http://arxiv.org/schemas/atom"'
        ' xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/"><opensearch:totalResults>7</opensearch:totalResults>'
    )
    return (head + "".join(entries) + "</feed>").encode()


def page(status: int, body: bytes, **headers: str) -> Answer:
    return Answer("https://arxiv.org/x", status, headers, body)


def test_an_entry_becomes_a_record():
    """White space is folded, categories come once each, the first of several DOIs counts."""
    (record,) = (found := atom.decode(feed(ENTRY))).records
    assert found.total == 7
    assert (record.arxiv_id, record.title, record.abstract) == ("2106.09685v2", "Low rank", "Words.")
    assert (record.categories, record.primary_category) == (["cs.CL", "cs.LG"], "cs.CL")
    assert (record.doi, record.comment, record.journal_ref) == ("10.1/x", "two lines", None)
    assert record.pdf_url == "https://arxiv.org/pdf/2106.09685v2"
    assert [(author.name, author.affiliation) for author in record.authors] == [("A. Author", "Here"), ("B", None)]


def test_an_entry_that_is_no_paper_is_an_error():
    """Whatever the HTTP status said."""
    wrong = "<entry><id>https://arxiv.org/api/errors#x</id><title>Error</title><summary>bad id</summary></entry>"
    assert atom.decode(feed(ENTRY, wrong)).error == "bad id"


@pytest.mark.parametrize("body", [b"", b"Rate exceeded.", b"<html></html>", b"<feed>", b"\x00\xff", feed(ENTRY)[:-50]])
def test_what_is_no_feed_says_so(body):
    """Empty, cut off or something else: never an empty result."""
    with pytest.raises(atom.NotAFeedError):
        atom.decode(body)


def test_entities_are_not_expanded():
    """A feed with a document type of its own brings nothing in."""
    bomb = b'<!DOCTYPE feed [<!ENTITY a "aaaa"><!ENTITY f SYSTEM "file:///etc/passwd">]>' + feed(
        ENTRY.replace("Words.", "x&f;&a;y")
    )
    assert "root:" not in atom.decode(bomb).records[0].abstract


def test_sets_become_categories_once_each():
    """Only those that no other set extends; an archive that is a class as well comes once."""
    specs = ["physics", "physics:astro-ph", "physics:astro-ph:CO", "physics:hep-th", "physics:hep-th", "cs:cs:LG"]
    sets = "".join(f"<set><setSpec>{spec}</setSpec><setName>Name of {spec}</setName></set>" for spec in specs)
    body = f'<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/"><ListSets>{sets}</ListSets></OAI-PMH>'
    found = oai.decode(body.encode()).categories
    assert [(item.code, item.name) for item in found] == [
        ("astro-ph.CO", "Name of physics:astro-ph:CO"),
        ("cs.LG", "Name of cs:cs:LG"),
        ("hep-th", "Name of physics:hep-th"),
    ]


@pytest.mark.parametrize(
    "body",
    [b"x", b"<a/>", b'<O xmlns="http://www.openarchives.org/OAI/2.0/"><error code="badVerb">no</error></O>'],
)
def test_no_list_of_sets_says_so(body):
    """An error under HTTP 200 is an error."""
    with pytest.raises(oai.NotASetListError):
        oai.decode(body)


def test_a_document_is_what_it_should_be():
    """A PDF with junk before its header, and an HTML paper, are taken as they are."""
    assert files.document(page(200, b"junk\n%PDF-1.7 ...\n%%EOF\n"), PDF).startswith(b"junk")
    paper = b"<!DOCTYPE html><html><article class='ltx_document'>x</article></html>"
    assert files.document(page(200, paper), HTML) == paper


PAPER = b"<!DOCTYPE html><html><article class='ltx_document'>x</article></html>"


@pytest.mark.parametrize(
    ("content", "format_", "whole"),
    [
        (b"%PDF-1.7 ...\n%%EOF\n", SourceFormat.PDF, True),
        (b"%PDF-1.7 ...", SourceFormat.PDF, False),
        (b"<html>about %PDF-1.7 %%EOF", SourceFormat.PDF, False),
        (PAPER, SourceFormat.HTML, True),
        (PAPER.removesuffix(b"</article></html>"), SourceFormat.HTML, False),
        (b"<html><body><h1>Sorry</h1></body></html>", SourceFormat.HTML, False),
        (b"", SourceFormat.HTML, False),
    ],
)
def test_what_is_stored_is_a_paper_by_its_own_marks(content, format_, whole):
    """Whatever its source said when it was fetched."""
    assert files.is_paper(content, format_) is whole


@pytest.mark.parametrize(
    ("answer", "key", "error", "words"),
    [
        (page(404, b"<h1>No document for &#39;x&#39;</h1>"), PDF, FormatUnavailableError, "No document for 'x'"),
        (page(404, b"<h1>No <b>HTML</b> for x</h1>"), HTML, FormatUnavailableError, "No HTML for x; try format='pdf'"),
        (page(500, b"<h1>File Unavailable</h1>"), PDF, FormatUnavailableError, "File Unavailable"),
        (page(500, b"oops"), PDF, ProviderUnavailableError, "HTTP 500"),
        (page(403, b"<h1>Access Denied</h1>"), PDF, ProviderUnavailableError, "Access Denied"),
        (page(200, b"<html>sorry", **{"content-type": "text/html"}), PDF, ProviderUnavailableError, "no PDF"),
        (page(200, b""), PDF, ProviderUnavailableError, "0 bytes"),
        (page(200, b""), HTML, ProviderUnavailableError, "no HTML"),
        (page(200, b"%PDF-1.4"), HTML, ProviderUnavailableError, "no HTML"),
        (page(200, b"<html>The following files are available for x"), HTML, FormatUnavailableError, "list of files"),
    ],
)
def test_an_error_page_is_never_a_document(answer, key, error, words):
    """What arXiv says reaches the caller, and what to try next."""
    with pytest.raises(error) as caught:
        files.document(answer, key)
    assert words in str(caught.value)


class TestRecorded:
    """Recorded and rendered answers of the real service."""

    pytestmark = needs_corpus

    def test_every_feed_decodes_to_what_its_index_says(self):
        """Entries become records, error feeds errors; none is an empty success in disguise."""
        listed = json.loads((UPSTREAM / "index.json").read_text("utf-8"))
        files_ = [
            item["file"] for item in listed if item["file"].startswith("arxiv/") and item["file"].endswith(".xml")
        ]
        feeds = [name for name in files_ if "/oai/" not in name]
        assert len(feeds) > 40
        for name in feeds:
            body = (UPSTREAM / name).read_bytes()
            found = atom.decode(body)
            failed = b"<entry" in body and b"arxiv.org/abs/" not in body
            assert bool(found.error) == failed, name
            if not failed:
                assert len(found.records) == body.count(b"<entry"), name

    def test_the_real_list_of_sets_has_155_classes(self):
        """183 sets, nine of them twice."""
        body = (UPSTREAM / "arxiv/oai/ListSets.xml").read_bytes()
        assert len(oai.decode(body).categories) == 155

    @pytest.mark.parametrize(
        ("name", "status", "error"),
        [
            ("404_withdrawn.html", 404, FormatUnavailableError),
            ("404_no_html.html", 404, FormatUnavailableError),
            ("404_cannot_build_pdf.html", 404, FormatUnavailableError),
            ("404_not_found.html", 404, FormatUnavailableError),
            ("403_not_public.html", 403, ProviderUnavailableError),
            ("403_access_denied.html", 403, ProviderUnavailableError),
            ("500_unavailable.html", 500, FormatUnavailableError),
        ],
    )
    def test_every_error_page_gives_its_category(self, name, status, error):
        """Pages of the real site."""
        body = (UPSTREAM / "arxiv/pages" / name).read_bytes()
        with pytest.raises(error):
            files.document(page(status, body), PDF)
