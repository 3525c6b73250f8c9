"""One worked example for each tool. `docs/examples.md` is made of this table, and a test runs it: it cannot go stale.

An answer is abridged: keys may be left out, "…" ends a text or a list that goes on. "$name" stands for what an earlier
answer said there, or for `GIVEN`; `SHOWN` is what the page has in its place.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

GIVEN = ("$pdf",)
SHOWN = {
    "$pdf": "JVBERi0xLjQKJZOMi54g…",
    "$file": "20261130-0912-510w",
    "$session": "5_el7i8Tfk5FUEEydhEZkw",
    "$note": "2572277b71e9ca4e",
}
_LORA = {"provider": "arxiv", "identifier": "2106.09685v2", "format": "html"}
_TITLE = "LoRA: Low-Rank Adaptation of Large Language Models"
_INTRO = """\
Each tool once, in the order of a piece of work. *Ask* is what you could say to your assistant; below it stand the call
that it makes and the answer, abridged (`…`). The answers come from the stand-in for arXiv, Europe PMC and OpenAlex that
the tests use, so that they are the same everywhere: LoRA's text is shortened, and the Europe PMC article is made up.
"""


@dataclass(frozen=True, slots=True)
class Example:
    """What a person asks, the call that answers it, and the answer; *after* says why it stands where it does."""

    tool: str
    ask: str
    arguments: dict[str, Any]
    answer: dict[str, Any]
    after: str = ""


EXAMPLES = [
    Example(
        "research_discovery",
        "What has been published about adapting large models, in any field?",
        {"query": "adapting large models", "max_results": 5},
        {
            "hits": [
                {
                    "openalex_id": "W1",
                    "title": "LoRA: Low-Rank Adaptation & more",
                    "fetch_route": {"kind": "known_provider", "provider": "arxiv", "identifier": "2106.09685"},
                    "next_step": "research_arxiv_fetch_full_text(arxiv_id='2106.09685', format='pdf')",
                },
                "…",
            ],
            "total": 50,
            "has_more": True,
        },
        "Needs an OpenAlex key. Every hit says how to get its full text; what the library holds is left out.",
    ),
    Example(
        "research_arxiv_search",
        "Find the arXiv paper on low-rank adaptation.",
        {"query": 'ti:"low-rank adaptation"', "max_results": 3},
        {"results": [{"arxiv_id": "2106.09685v2", "title": _TITLE, "primary_category": "cs.CL"}], "total_results": 1},
    ),
    Example(
        "research_arxiv_list_top_n",
        "What is new in computational linguistics?",
        {"include_categories": ["cs.CL"], "n": 2},
        {"results": [{"arxiv_id": "2305.18290v3", "published": "2023-05-29T12:00:00Z"}, "…"]},
    ),
    Example(
        "research_arxiv_fetch_metadata",
        "Which versions are these: 2106.09685, arxiv.org/abs/1706.03762v7 and 9999.99999?",
        {"arxiv_ids": ["2106.09685", "https://arxiv.org/abs/1706.03762v7", "9999.99999"]},
        {
            "results": [{"arxiv_id": "2106.09685v2"}, {"arxiv_id": "1706.03762v7"}],
            "not_found": ["9999.99999"],
        },
        "One batch, in the order asked for, in any spelling.",
    ),
    Example(
        "research_resolve_identifier",
        "Where do I get 10.48550/arXiv.2106.09685?",
        {"identifier": "https://doi.org/10.48550/arXiv.2106.09685", "format": "pdf"},
        {"result": {"provider": "arxiv", "identifier": "2106.09685v2", "format": "pdf"}},
    ),
    Example(
        "research_arxiv_fetch_full_text",
        "Get it.",
        {"arxiv_id": "2106.09685", "format": "html"},
        {
            "size_bytes": 20452,
            "served_from_storage": False,
            "resource_uri": "research://arxiv/2106.09685v2/html/fulltext",
        },
        "From now on the paper is in the library; fetching it again asks nobody.",
    ),
    Example(
        "research_arxiv_parse_full_text",
        "Read me its beginning.",
        {"arxiv_id": "2106.09685", "format": "html", "limit": 300},
        {"markdown": f"# {_TITLE}\n\n**Authors:** Edward J. Hu …", "offset": 0, "total_length": 4834, "has_more": True},
        "Go on with `offset` 300 while `has_more` is true. For a PDF, `page_range` says which pages a window covers.",
    ),
    Example(
        "research_europepmc_search",
        "What does Europe PMC have?",
        {"query": "*", "page_size": 2},
        {
            "results": [{"identifier": "MED:26551875", "pmcid": "PMC4767193", "full_text_available": True}, "…"],
            "hit_count": 126,
            "next_cursor_mark": "QW9FKy8y",
        },
        "The next page is asked for with `cursor_mark` = `next_cursor_mark`.",
    ),
    Example(
        "research_europepmc_fetch_metadata",
        "Who wrote PMID 26551875?",
        {"identifiers": ["26551875"]},
        {"results": [{"doi": "10.1000/demo.2016.1", "authors": [{"full_name": "Hartley M"}, "…"]}], "not_found": []},
    ),
    Example(
        "research_europepmc_fetch_full_text",
        "Get the article.",
        {"identifier": "26551875"},
        {"format": "xml", "resource_uri": "research://europepmc/PMC:PMC4767193/xml/fulltext"},
        "A PMID, a PMCID and a DOI of one article lead to one stored document.",
    ),
    Example(
        "research_europepmc_parse_full_text",
        "What does it say?",
        {"identifier": "PMC4767193", "limit": 300},
        {"markdown": "# Uptake of H~2~O by *made-up* cells\n\n**Authors:** Miriam Hartley…", "has_more": True},
    ),
    Example(
        "research_localfile_fetch_full_text",
        "Add my thesis to the library.",
        {"content_base64": "$pdf", "filename": "thesis.pdf"},
        {"id": "$file", "format": "pdf", "served_from_storage": False},
        "From a terminal, `prioris-mcp add thesis.pdf` does the same.",
    ),
    Example(
        "research_localfile_parse_full_text",
        "What does its second page say?",
        {"id": "$file", "page": 2, "limit": 300},
        {"markdown": "## 2 Related Work\n\n### 2.1 Measures on the citation graph…", "page_range": [2, 2]},
    ),
    Example(
        "research_localfile_begin_upload",
        "Here is a larger one.",
        {"filename": "large.pdf"},
        {"session_id": "$session", "max_chunk_bytes": 1048576},
        "For files that are too large for one call.",
    ),
    Example(
        "research_localfile_upload_chunk",
        "(the file's pieces, one after the other)",
        {"session_id": "$session", "index": 0, "chunk_base64": "$pdf"},
        {"received_index": 0, "bytes_so_far": 18228},
    ),
    Example(
        "research_localfile_finalize_upload",
        "(and its end)",
        {"session_id": "$session"},
        {"id": "$file", "served_from_storage": True},
        "The same bytes as before are the same document.",
    ),
    Example(
        "research_list_fetched",
        "What do I have from arXiv?",
        {"provider": "arxiv"},
        {"entries": [{**_LORA, "artefact": "markdown"}, {**_LORA, "artefact": "document"}], "total": 2},
    ),
    Example(
        "research_search_fetched",
        "Where in my library are low-rank matrices mentioned?",
        {"query": "low-rank matrices", "limit": 1},
        {"fts": {"matches": [{**_LORA, "offset": 0}], "total": 2}},
    ),
    Example(
        "research_find",
        "How much memory does an adapted model need? Cite the passage.",
        {"query": "how much memory does the adapted model need?", "limit": 1},
        {
            "hits": [{**_LORA, "title": _TITLE, "section_path": [_TITLE, "1 Introduction"], "offset": 651}],
            "has_more": True,
        },
        "By words and by meaning at once; for a PDF, `page_range` holds the pages to cite.",
    ),
    Example(
        "research_related",
        "Which other passages of my library are close to this paper?",
        {**_LORA, "limit": 1},
        {"hits": [{"provider": "localfile", "identifier": "$file", "page_range": [2, 2]}]},
    ),
    Example(
        "research_notes_create",
        "Note on it: compare with prefix tuning.",
        {**_LORA, "text": "Compare with prefix tuning.", "tags": ["adaptation", "todo"]},
        {"id": "$note", "canonical_identifier": "2106.09685v2", "tags": ["adaptation", "todo"]},
    ),
    Example(
        "research_notes_search",
        "What did I note about prefixes?",
        {"keyword": "prefix*", "tags_any": ["todo"]},
        {"fts": {"notes": [{"id": "$note", "text": "Compare with prefix tuning."}], "total": 1}},
    ),
    Example(
        "research_notes_update",
        "That is done.",
        {"note_id": "$note", "tags": ["adaptation"]},
        {"id": "$note", "text": "Compare with prefix tuning.", "tags": ["adaptation"]},
    ),
    Example("research_notes_read", "Show me the note.", {"note_id": "$note"}, {"id": "$note", "tags": ["adaptation"]}),
    Example("research_notes_delete", "Throw it away.", {"note_id": "$note"}, {"result": True}),
    Example(
        "research_delete_fetched",
        "Throw away the paper's Markdown.",
        {"entries": [{**_LORA, "artefact": "markdown"}]},
        {"deleted": [{**_LORA, "artefact": "markdown"}], "not_found": []},
        "The document itself stays, and is parsed anew when it is next read.",
    ),
]


def page(note: str) -> str:
    """The worked examples as Markdown, with *note* at the top."""
    return f"# Examples\n\n{note}\n{_INTRO}\n" + "\n".join(_section(example) for example in EXAMPLES)


def _section(example: Example) -> str:
    call = "\n".join(_call(example))
    after = f"\n{example.after}\n" if example.after else ""
    answer = f"```json\n{_shown(json.dumps(example.answer, indent=2, ensure_ascii=False))}\n```"
    return f"## `{example.tool}`\n\n**Ask:** {example.ask}\n\n```python\n{call}\n```\n\n{answer}\n{after}"


def _call(example: Example) -> Iterator[str]:
    yield f"{example.tool}("
    for name, value in example.arguments.items():
        yield f"    {name}={_shown(_python(value))},"
    yield ")"


def _python(value: Any) -> str:
    """*value* as the formatter would have it."""
    quoted = isinstance(value, str) and '"' in value
    return repr(value) if quoted else json.dumps(value, ensure_ascii=False)


def _shown(text: str) -> str:
    for name, sample in SHOWN.items():
        text = text.replace(name, sample)
    return text
