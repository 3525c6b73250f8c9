"""Names that callers give to a parameter, and which parameter of a tool each of them means."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

_ONE = ("arxiv_id", "identifier", "id", "canonical_identifier")
_MANY = ("arxiv_ids", "identifiers")
_IDENTIFIERS = frozenset({
    *_ONE, *_MANY, "arxiv", "paper_id", "document_id", "doi", "pmid", "pmcid", "ids", "paper", "paper_ids", "dois",
    "pmids",
})  # fmt: skip
"""Names for an identifier that models confuse. A tool has one parameter for it at most."""

_GROUPS = tuple(
    frozenset(words.split())
    for words in (
        "query q keyword keywords search search_query search_term question text terms term topic",
        "limit max_results page_size n top_n top_k k count size num_results per_page max rows results",
        "offset start skip start_index from_index",
        "cursor_mark cursor next_cursor_mark next_cursor page_token next_page_token",
        "page page_no page_nr pagenumber",
        "tags tag label labels",
        "tags_all tags tag label labels",
        "tags_exclude exclude_tags without_tags",
        "from_year year_from min_year year_min since_year start_year year_start year_after",
        "to_year year_to max_year year_max until_year end_year year_end year_before",
        "date_from from_date since start_date created_after after",
        "date_to to_date until end_date created_before before",
        "format file_format source_format filetype",
        "provider source database",
        "sort_by sort order_by",
        "sort_order order direction",
        "author_name author",
        "text note body content note_text",
        "note_id note noteid",
        "metadata meta",
        "anchors anchor",
        "include_categories categories category cat cats subjects",
        "exclude_categories exclude without_categories not_categories",
        "content_base64 content data pdf_base64 base64 file pdf",
        "chunk_base64 chunk content data base64",
        "session_id session upload_id",
        "index chunk_index chunk_number number",
        "filename file_name name",
        "entries items documents entry",
        "mode search_mode",
        "open_access_only open_access oa_only is_oa oa",
        "snippet_chars max_snippet_chars snippet_length",
    )
)
"""Each is one thing; a tool has one parameter for it, under one of these names."""
_NEAR = 0.8
_CAPITAL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def meant(name: str, properties: Mapping[str, Any], required: Iterable[str]) -> str | None:
    """The parameter among *properties* that *name* can only mean; None where it may be none, or one of several."""
    plain = _plain(name)
    if plain in properties:
        return plain
    if plain in _IDENTIFIERS and (own := _identifier_of(properties)):
        return own
    if plain == "id" and "note_id" in required:
        return "note_id"
    found = [other for group in _GROUPS if plain in group for other in properties if other in group]
    if found:
        return found[0] if len(set(found)) == 1 else None
    return _near(plain, properties)


def suggested(name: str, properties: Mapping[str, Any]) -> str | None:
    """The parameter whose name looks most like *name*, if one does at all."""
    from difflib import get_close_matches  # noqa: PLC0415 - only for what nobody knows

    return next(iter(get_close_matches(_plain(name), list(properties), 1, 0.5)), None)


def _near(name: str, properties: Mapping[str, Any]) -> str | None:
    """A parameter whose name differs by a slip of the fingers or by number, if it is the only one."""
    from difflib import get_close_matches  # noqa: PLC0415 - only for what nobody knows

    found = get_close_matches(name, list(properties), 2, _NEAR)
    return found[0] if len(found) == 1 else None


def _identifier_of(properties: Mapping[str, Any]) -> str | None:
    found = [name for name in (*_ONE, *_MANY) if name in properties]
    return found[0] if len(found) == 1 else None


def _plain(name: str) -> str:
    """``maxResults`` and ``max-results`` are ``max_results``."""
    return _CAPITAL.sub("_", name[:100]).replace("-", "_").replace(" ", "_").lower()
