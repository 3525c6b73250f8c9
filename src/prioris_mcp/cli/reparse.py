"""The command that renews Markdown."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict

from prioris_mcp.app.parse import Renewal, ReparseOutcome
from prioris_mcp.app.services import Services
from prioris_mcp.cli.remedies import said
from prioris_mcp.cli.terminal import CommandResult, progress_line
from prioris_mcp.domain.changes import Parsed
from prioris_mcp.domain.sources.providers import source_of
from prioris_mcp.errors import InvalidRequestError


async def reparse(services: Services, options: argparse.Namespace) -> CommandResult:
    """Stored documents parsed again; one that fails keeps its Markdown, and keeps no other from being renewed."""
    chosen = await _chosen(services, options)
    done = []
    for number, item in enumerate(chosen, 1):
        head = f"parsing {item.key} ({number} of {len(chosen)})"
        progress_line(f"{head} …")
        done.append(await services.reparse(item, _Pages(head)))
    progress_line("")
    return _told(done)


class _Pages:
    """Shows how many pages of a document are done."""

    def __init__(self, head: str) -> None:
        self._head = head

    async def __call__(self, done: float, total: float) -> None:
        progress_line(f"{self._head}: {done:.0f} of {total:.0f} pages")


async def _chosen(services: Services, options: argparse.Namespace) -> Sequence[Parsed]:
    if options.all and options.identifiers:
        raise InvalidRequestError("name documents, or say --all")
    if options.all:
        return await services.reparse.everything()
    if not options.identifiers:
        return await services.reparse.outdated()
    named = [await services.reparse.named(source_of(identifier).name, identifier) for identifier in options.identifiers]
    return list(dict.fromkeys(item for items in named for item in items))


def _told(done: Sequence[Renewal]) -> CommandResult:
    counts = Counter(item.outcome for item in done)
    lines = [f"{item.key}: {said(item.failure) or item.outcome}" for item in done]
    total = (
        ", ".join(f"{counts[outcome]} {outcome}" for outcome in ReparseOutcome if counts[outcome])
        or "every Markdown is up to date"
    )
    facts = {
        "documents": [
            {
                **asdict(item.key),
                "outcome": item.outcome,
                "parser_before": item.before,
                "reason": said(item.failure),
            }
            for item in done
        ],
        "counts": {outcome: counts[outcome] for outcome in ReparseOutcome},
    }
    return CommandResult(facts, "\n".join([*lines, total]), code=1 if counts[ReparseOutcome.FAILED] else 0)
