"""What may be asked of arXiv's API, checked and spelled before anything is sent."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from urllib.parse import quote, urlencode

from prioris_mcp.domain.sources.taxonomy import CODES, spelled
from prioris_mcp.errors import InvalidRequestError
from prioris_mcp.ports.sources import SortBy, SortOrder

API = "https://export.arxiv.org/api/query"
# Results of one call and of all together: https://info.arxiv.org/help/api/user-manual.html
MOST_RESULTS = 2000
DEEPEST = 30000
LONGEST_ADDRESS = 8000
"""Characters; arXiv answers HTTP 414 somewhat above."""
_WORD = re.compile(r"\w")
_WILDCARD_FIRST = re.compile(r"(?:^|[\s(:\"])[*?]")
_DATES = re.compile(r"\b(?:submittedDate|lastUpdatedDate):(\S*(?:\s+TO\s+\S+)?)", re.IGNORECASE)
_RANGE = re.compile(r"\[(\d+) TO (\d+)\]\)*")
_DATE_DIGITS = frozenset({4, 6, 8, 12, 14})
_CATEGORY = re.compile(r"[A-Za-z-]+(?:\.[A-Za-z*-]+)?")


def address(parameters: Mapping[str, str | int]) -> str:
    """The API's URL for *parameters*, each encoded once; InvalidRequestError where arXiv would not read it."""
    url = f"{API}?{urlencode(parameters, quote_via=quote)}"
    if len(url) > LONGEST_ADDRESS:
        raise InvalidRequestError(
            f"the query is too long for arXiv: {len(url)} characters encoded, {LONGEST_ADDRESS} at most; shorten it"
        )
    return url


def search(query: str, start: int, max_results: int, sort_by: SortBy, sort_order: SortOrder) -> str:
    """The URL of one page of a search; InvalidRequestError for what arXiv is known not to take."""
    _check_window(start, max_results)
    _check_query(query)
    return address(
        {
            "search_query": query.strip(),
            "start": start,
            "max_results": max_results,
            "sortBy": sort_by,
            "sortOrder": sort_order,
        }
    )


def newest(include: Sequence[str], exclude: Sequence[str], n: int) -> str:
    """The URL of the *n* newest papers that are in every *include* class and in none of *exclude*.

    arXiv's grammar is right-associative, so two exclusions need brackets: ``a ANDNOT b ANDNOT c`` would
    bring back what is in both b and c.
    """
    if not 1 <= n <= MOST_RESULTS:
        raise InvalidRequestError(f"n must be 1 to {MOST_RESULTS}, got {n}")
    wanted, unwanted = _categories(include), _categories(exclude)
    if not wanted:
        raise InvalidRequestError("include_categories must name at least one subject class, such as cs.CL")
    query = " AND ".join(wanted)
    if unwanted:
        joined = " OR ".join(unwanted)
        query += f" ANDNOT {joined if len(unwanted) == 1 else f'({joined})'}"
    return address(
        {"search_query": query, "start": 0, "max_results": n, "sortBy": "submittedDate", "sortOrder": "descending"}
    )


def lookup(identifiers: Sequence[str]) -> str:
    """The URL that looks up *identifiers*; without ``max_results`` arXiv would answer ten of them."""
    return address({"id_list": ",".join(identifiers), "max_results": len(identifiers)})


def _check_window(start: int, max_results: int) -> None:
    if not 1 <= max_results <= MOST_RESULTS:
        raise InvalidRequestError(f"max_results must be 1 to {MOST_RESULTS}, got {max_results}")
    if start < 0:
        raise InvalidRequestError(f"start must be 0 or more, got {start}")
    if start + max_results > DEEPEST:
        raise InvalidRequestError(
            f"start + max_results must be at most {DEEPEST}, got {start + max_results}; narrow the query instead"
        )


def _check_query(query: str) -> None:
    if not _WORD.search(query):
        raise InvalidRequestError(f"query has nothing to search for: {query[:200]!r}; write words")
    if _WILDCARD_FIRST.search(query):
        raise InvalidRequestError("a term of query must not begin with * or ?; arXiv fails on it")
    for given in _DATES.findall(query):
        dates = _RANGE.fullmatch(given)
        if not dates or not _DATE_DIGITS.issuperset(map(len, dates.groups())):
            raise InvalidRequestError(
                f"not a date range that arXiv takes: {given[:200]!r}; write [202401010000 TO 202412312359]"
            )


def unknown(codes: Sequence[str]) -> list[str]:
    """Those of *codes* that no subject class had when this was written; ``cs.*`` stands for many."""
    return [code for code in codes if "*" not in code and spelled(code.strip()) not in CODES]


def _categories(codes: Sequence[str]) -> list[str]:
    """``cat:`` clauses for *codes*, in order, each once."""
    for code in codes:
        if not _CATEGORY.fullmatch(code.strip()):
            raise InvalidRequestError(
                f"not a subject class: {code[:200]!r}; read research://arxiv/categories for the list"
            )
    return list(dict.fromkeys(f"cat:{spelled(code.strip())}" for code in codes))
