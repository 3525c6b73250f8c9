"""Ways to work with the tools, for a user to pick: what to call, in which order, and what to make of it."""

from __future__ import annotations

from collections.abc import Callable
from inspect import getdoc, signature
from typing import Annotated, Any

from fastmcp import FastMCP
from fastmcp.prompts import Prompt
from mcp_types import CompletionArgument
from pydantic import Field

from prioris_mcp.app.services import Services
from prioris_mcp.domain.page import PageRequest
from prioris_mcp.domain.sources.taxonomy import CODES
from prioris_mcp.server.binding import undocumented

_MOST_DOCUMENTS = 1000
_MOST_VALUES = 100

Identifier = Annotated[str, Field(description="arXiv id, PMCID, PMID, DOI, id of a local file, or a page's address.")]


def literature_review(
    topic: Annotated[str, Field(description="What the review is about, in a sentence.")],
    category: Annotated[str, Field(description="arXiv category to look in, for example cs.CL; empty for all.")] = "",
    papers: Annotated[str, Field(description="About how many papers to read.")] = "8",
) -> str:
    """Find, read and sum up the literature on a topic, with a citation for every claim."""
    within = f" In research_arxiv_search add cat:{category}." if category else ""
    return f"""\
Write a literature review on: {topic}

1. See what is at hand: research_find with the topic, and research_list_fetched.
2. Look further: research_discovery (by meaning), research_arxiv_search and research_europepmc_search (by words), with \
two or three phrasings each.{within} Prefer one call with many results over many calls: sources are asked slowly.
3. Choose about {papers} papers, by what they add and not by their fame; say which you left out and why.
4. Fetch each (..._fetch_full_text) and parse it (..._parse_full_text); read the parts that matter, window by window.
5. Compare them with research_find over the library, one question at a time.
6. Write: the question, what is known and on what evidence, where papers disagree, what is open. Cite each claim with \
title, identifier and page or section. Do not cite what you have not read; mark what comes from an abstract only.
7. Keep the main finding of each paper with research_notes_create, tagged with the topic.
"""


def read_paper(
    identifier: Identifier,
    question: Annotated[str, Field(description="What you want to know from it; empty for a summary.")] = "",
) -> str:
    """Read one paper and answer a question about it, or sum it up, with the places it says so."""
    aim = f"Answer from the paper: {question}" if question else "Sum the paper up: question, method, results, limits."
    return f"""\
Read the paper {identifier}.

1. If you do not know its source, call research_resolve_identifier; then fetch it with the tool of its provider \
(html of arXiv keeps formulas best, pdf has pages to cite) and parse it.
2. {aim}
3. Use research_find with provider and identifier to go to the places that matter; read around each hit with its offset.
4. Support every statement with a short quotation and its page or section. Say plainly what the paper does not say.
"""


def compare_papers(
    first: Identifier,
    second: Identifier,
    aspect: Annotated[str, Field(description="What to compare, for example method or results; empty for all.")] = "",
) -> str:
    """Compare two papers side by side."""
    about = f" with regard to {aspect}" if aspect else ""
    return f"""\
Compare the papers {first} and {second}{about}.

1. Fetch and parse both (research_resolve_identifier tells the source of an identifier).
2. Ask research_find the same questions of each, with provider and identifier: aim, assumptions, method, data, \
results, limits.
3. Show a table with one row an aspect and one column a paper, each cell with page or section.
4. Then say where they agree, where they differ and whether the difference is one of data, method or wording, and what \
neither of them shows.
"""


def find_prior_art(
    idea: Annotated[str, Field(description="The idea or claim, in plain words.")],
    before: Annotated[str, Field(description="Year before which it must have been published; empty for any.")] = "",
) -> str:
    """Look for earlier work that anticipates an idea, claim by claim."""
    until = f", to_year {before} at most" if before else ""
    return f"""\
Look for prior art of this idea: {idea}

1. Split it into its essential features. For each, think of the words of other fields and of earlier times.
2. Search by meaning with research_discovery{until}, by words with research_arxiv_search and \
research_europepmc_search, and at home with research_find.
3. For the closest works, fetch and parse the full text: an abstract rarely decides. Use research_find with provider \
and identifier for each feature, and research_related to go on from a close passage.
4. Show a table of features by works: anticipated, in part, or not, with date, page or section, and a quotation.
5. Name the closest work, what it lacks, and where you searched without a find. Do not conclude that an idea is new \
from a search that found nothing.
"""


PROMPTS: tuple[tuple[Callable[..., str], str], ...] = (
    (literature_review, "Review the literature"),
    (read_paper, "Read a paper"),
    (compare_papers, "Compare two papers"),
    (find_prior_art, "Find prior art"),
)
_IDENTIFIERS = frozenset({"identifier", "first", "second"})
_CATEGORY = "category"
REQUIRED = {
    function.__name__: tuple(
        name for name, parameter in signature(function).parameters.items() if parameter.default is parameter.empty
    )
    for function, _ in PROMPTS
}
"""What each prompt cannot do without."""


def register(server: FastMCP[Any], services: Services) -> None:
    """Add every prompt to *server*, and what completes arguments of prompts and of resource addresses."""
    for function, title in PROMPTS:
        server.add_prompt(Prompt.from_function(undocumented(function), title=title, description=getdoc(function)))

    async def complete(_reference: object, argument: CompletionArgument, _context: object) -> list[str]:
        """What the library holds, or arXiv's categories, that begin as typed. Asks no network."""
        return await completions(services, argument.name, argument.value)

    server.add_completion_handler(complete)


async def completions(services: Services, name: str, typed: str) -> list[str]:
    """Values for the argument *name* that begin with *typed*; a hundred at most."""
    if name in _IDENTIFIERS:
        listed = await services.list(None, None, PageRequest(0, _MOST_DOCUMENTS))
        values = list(dict.fromkeys(entry.key.identifier for entry in listed.items))
    else:
        values = sorted(CODES) if name == _CATEGORY else []
    start = typed.strip().lower()
    return [value for value in values if value.lower().startswith(start)][:_MOST_VALUES]
