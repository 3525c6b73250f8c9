"""What a person types finds what stands in a paper or a note, however that was set."""

from __future__ import annotations

import pytest

from prioris_mcp.adapters.sqlite.fts.index import SqliteFts5SearchIndex
from prioris_mcp.adapters.sqlite.fts.query import QueryFrontEnd
from prioris_mcp.adapters.sqlite.notes.backend import SqliteNotesBackend
from prioris_mcp.domain.changes import Position
from prioris_mcp.domain.documents import DocumentKey, ProviderName, SourceFormat
from prioris_mcp.domain.markdown import Span
from prioris_mcp.domain.notes.note import NoteFilter
from prioris_mcp.domain.page import PageRequest
from prioris_mcp.domain.search import Scope, Section
from tests.notes import note
from tests.unit.adapters.parsers.html.latexml import convert as from_html
from tests.unit.adapters.parsers.html.latexml import p
from tests.unit.adapters.parsers.jats.nlm import convert as from_jats

pytestmark = pytest.mark.anyio
KEY = DocumentKey(ProviderName("arxiv"), "2106.09685v2", SourceFormat.PDF)
FIRST = PageRequest(0, 5)
JATS = """
<p>The uptake of CO<sub>2</sub> and H<sub>2</sub>O<sub>2</sub> at an IC<sub>50</sub> of 5 &#181;m, with Ca<sup>2+</sup>,
<sup>13</sup>C-NMR. <italic>p</italic>53 and <italic>BRCA</italic>1 in T<sub>reg</sub> cells; FEV<sub>1</sub> under
PM<sub>2.5</sub>, <bold>NO</bold><sub>x</sub>, HbA<sub>1c</sub>, &#946;<sub>2</sub>-microglobulin. V<sub>max</sub>
and K<sub>m</sub> follow<sup>1,2</sup> from TGF-&#946;1 and NF-&#954;B in &#321;&#243;d&#378; by S&#248;rensen.</p>
"""
HTML = p(JATS.replace("italic>", "em>").replace("bold>", "b>").removeprefix("\n<p>").removesuffix("</p>\n"))
UNICODE = (
    "The uptake of CO₂ and H₂O₂ at an IC₅₀ of 5 μm, with Ca²⁺ and ¹³C-NMR. p53 and BRCA1 in Treg cells;"
    " FEV₁ under PM₂.₅, NOₓ, HbA₁c and β₂-microglobulin. Vmax and Km follow¹,² from TGF-β1"
    " and NF-κB in Łódź by Sørensen."
)
TYPED = [
    *("CO2", "H2O2", "IC50", "Ca2+", "13C-NMR", "p53", "BRCA1", "Treg", "FEV1", "PM2.5", "NOx", "HbA1c", "Vmax", "Km"),
    *(
        "β2-microglobulin",
        "beta2-microglobulin",
        "TGF-β1",
        "TGF-beta1",
        "NF-kappaB",
        "NF-κB",
        "Lodz",
        "Łódź",
        "Sorensen",
    ),
    *("Sørensen", "CO₂", "CO~2~", "Ca²⁺", "follow", '"uptake of CO2"', '"IC50 of 5"', "co2 AND h2o2"),
    *(
        '"Vmax and Km follow"',
        "BRC*",
        "NOx NOT xyzzy",
        "nf-κ*",
        "𝐂𝐎𝟐",
        "ＣＯ２",
        "$CO_2$",
    ),
]
PARTED = ["CO 2", '"H 2 O 2"', "Ca 2", "T reg", "p 53", "NO x"]
FORMS = {"JATS": from_jats(JATS), "HTML": from_html(HTML), "Unicode": UNICODE}


@pytest.fixture(params=FORMS)
def written(request):
    """The same sentences, as each parser writes them."""
    return FORMS[request.param]


@pytest.mark.parametrize("typed", TYPED)
async def test_a_document_is_found_as_people_type(tmp_path, written, typed):
    """In full text; and the line that is shown has the words as they stand."""
    index = SqliteFts5SearchIndex(tmp_path / "search.sqlite3")
    await index.index_entries(KEY, [Section((), Span(0, len(written)), written)], Position("one", 1))
    hits = await index.search(typed, Scope(), FIRST)
    assert hits.total == 1
    [snippet] = await index.snippets(hits.expression, [written])
    assert snippet.strip("…") in " ".join(written.split())
    index.close()


@pytest.mark.parametrize("typed", PARTED)
@pytest.mark.parametrize("form", ["JATS", "HTML"])
async def test_the_parts_of_a_word_are_found_too(tmp_path, form, typed):
    """As before it was known to be one."""
    index = SqliteFts5SearchIndex(tmp_path / "search.sqlite3")
    text = FORMS[form]
    await index.index_entries(KEY, [Section((), Span(0, len(text)), text)], Position("one", 1))
    assert (await index.search(typed, Scope(), FIRST)).total == 1
    index.close()


@pytest.mark.parametrize("typed", ["CO2", "Ca2+", "p53", "TGF-beta1", "Lodz", '"uptake of CO2"', "NOx"])
async def test_a_note_is_found_as_people_type(tmp_path, written, typed):
    """In the notes as well."""
    notes = SqliteNotesBackend(tmp_path)
    await notes.create(note(1, written))
    assert (await notes.search(NoteFilter(), typed, FIRST)).total == 1
    notes.close()


def test_what_is_shown_is_where_the_match_stands():
    """Not the beginning of a text of which only a folded word matches."""
    text = f"{'Nothing of the kind. ' * 60}Then CO~2~ rises.{' And so on.' * 60}"
    [found] = QueryFrontEnd().snippets([text], '("CO2")')
    assert "Then CO~2~ rises." in found.text
    assert text[found.start :].startswith("CO~2~")
