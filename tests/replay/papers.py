"""The papers that the simulated arXiv holds."""

from __future__ import annotations

import functools
import json
import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

DATA = Path(__file__).with_name("data")
VERSIONED = re.compile(r"(?P<id>.+?)(?:v(?P<version>\d+))?")


@dataclass(frozen=True)
class Author:
    """A name with its affiliations."""

    name: str
    affiliations: tuple[str, ...] = ()


@dataclass(frozen=True)
class Paper:
    """One paper at one version."""

    id: str
    title: str
    abstract: str
    authors: tuple[Author, ...]
    categories: tuple[str, ...]  # the first is the primary one
    dates: tuple[str, ...]  # of each version
    version: int
    comment: str | None = None
    journal_ref: str | None = None
    doi: str | None = None
    withdrawn: bool = False  # the last version, that is
    html: bool = True

    @property
    def name(self) -> str:
        """The identifier with its version."""
        return f"{self.id}v{self.version}"

    @property
    def published(self) -> str:
        """When the first version appeared."""
        return self.dates[0]

    @property
    def updated(self) -> str:
        """When this version appeared."""
        return self.dates[self.version - 1]

    @property
    def gone(self) -> bool:
        """Whether this version has been withdrawn."""
        return self.withdrawn and self.version == len(self.dates)

    def at(self, version: int) -> Paper | None:
        """This paper at another version, if there is such a version."""
        return replace(self, version=version) if 1 <= version <= len(self.dates) else None


@functools.cache
def papers() -> dict[str, Paper]:
    """All papers at their latest versions, by identifier."""
    records = json.loads((DATA / "papers.json").read_text("utf-8"))
    return {record["id"]: _paper(**record) for record in records}


def find(identifier: str) -> Paper | None:
    """The paper of an identifier spelt exactly as arXiv does; without a version, the latest."""
    match = VERSIONED.fullmatch(identifier)
    paper = papers().get(match["id"]) if match else None
    if match is None or paper is None or match["version"] is None:
        return paper
    return paper.at(int(match["version"]))


def _paper(*, authors: list[str | list[str]], categories: list[str], dates: list[str], **rest: Any) -> Paper:
    listed = tuple(Author(a) if isinstance(a, str) else Author(a[0], tuple(a[1:])) for a in authors)
    return Paper(authors=listed, categories=tuple(categories), dates=tuple(dates), version=len(dates), **rest)
