"""What the tests of notes share."""

from __future__ import annotations

from typing import Any

from tests.e2e.conftest import LORA
from tests.e2e.process import Server

CREATE = "research_notes_create"
READ = "research_notes_read"
UPDATE = "research_notes_update"
DELETE = "research_notes_delete"
SEARCH = "research_notes_search"


def put(server: Server, text: str = "alpha", identifier: str = LORA, **more: Any) -> dict[str, Any]:
    return server.ok(CREATE, **{"provider": "arxiv", "identifier": identifier, "text": text, **more})


def found(server: Server, **wanted: Any) -> list[str]:
    """The texts that a search finds, all of which are on its page."""
    page = server.ok(SEARCH, **wanted)["fts"]
    assert page["total"] == len(page["notes"])
    assert page["has_more"] is False
    return [note["text"] for note in page["notes"]]
