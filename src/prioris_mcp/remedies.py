"""What can be done about a failure, as data: each user interface has its own words for it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Action(StrEnum):
    """Tell what to do; the fields of the remedy say with what."""

    ADD_FILE = "add"
    BEGIN_UPLOAD = "begin_upload"
    DISCOVER = "discover"
    FETCH = "fetch"
    LIST = "list"
    LIST_SOURCE = "list_source"
    LOOK_UP = "look_up"
    NOTES = "notes"
    PARSE = "parse"
    RESOLVE = "resolve"
    SEARCH = "search"
    USE_SOURCE = "use_source"


@dataclass(frozen=True, slots=True)
class Remedy:
    """Name one thing to do. It stands in a sentence where a user interface names its tool or command."""

    action: Action
    provider: str = ""
    identifier: str = ""
    format: str = ""

    def __str__(self) -> str:
        """Return the remedy for a reader of logs, or for `server.remedies.named`, who has words for it."""
        return f"{{{f'{self.action} {self.provider}'.rstrip()}}}"


ADD_FILE, NOTES = Remedy(Action.ADD_FILE), Remedy(Action.NOTES)
