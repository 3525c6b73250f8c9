"""The spellings in which people and models write identifiers, and the one spelling we keep."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

from prioris_mcp.errors import InvalidRequestError

ARXIV_HOSTS = frozenset({"arxiv.org", "www.arxiv.org", "export.arxiv.org"})
_NEW = re.compile(r"(\d{4}\.\d{4,5})(?:v(\d+))?", re.IGNORECASE | re.ASCII)
_OLD = re.compile(r"([a-z]+(?:-[a-z]+)?)(?:\.[a-z-]{2,8})?/(\d{7})(?:v(\d+))?", re.IGNORECASE | re.ASCII)
_PREFIX = re.compile(r"arxiv\s*:\s*", re.IGNORECASE)
_PAGE = re.compile(r"/(?:abs|pdf|html|format|e-print)/(.+)", re.IGNORECASE)
_LONGEST = 200


@dataclass(frozen=True, slots=True)
class ArxivId:
    """An arXiv identifier in the spelling that arXiv indexes: ``2106.09685``, ``hep-th/9901001``.

    *version* is None where the caller left it open, which means the newest.
    """

    base: str
    version: int | None = None

    def __str__(self) -> str:
        return self.base if self.version is None else f"{self.base}v{self.version}"

    @property
    def pinned(self) -> bool:
        """Whether a version is named, so that the identifier always means the same text."""
        return self.version is not None


def parse_arxiv(text: str) -> ArxivId:
    """Read any usual spelling of an arXiv identifier, page addresses included.

    Raises InvalidRequestError for everything else. Never asks the network.
    """
    bare = _PREFIX.sub("", _without_address(text.strip()), count=1).strip()
    bare = bare[:-4] if bare.lower().endswith(".pdf") else bare
    if match := _NEW.fullmatch(bare):
        return ArxivId(match[1], _version(match[2]))
    if match := _OLD.fullmatch(bare):
        return ArxivId(f"{match[1].lower()}/{match[2]}", _version(match[3]))
    raise InvalidRequestError(
        f"not an arXiv identifier: {text[:_LONGEST]!r};"
        " expected a form such as 2106.09685, 2106.09685v2 or hep-th/9901001"
    )


def _version(digits: str | None) -> int | None:
    return int(digits[:9]) if digits else None


def _without_address(text: str) -> str:
    """The identifier inside an arxiv.org page address; other text unchanged."""
    candidate = text if "://" in text else f"https://{text}"
    try:
        parts = urlsplit(candidate)
        plain = parts.scheme in ("http", "https") and parts.netloc.lower() in ARXIV_HOSTS
    except ValueError:
        return text
    page = _PAGE.fullmatch(unquote(parts.path)) if plain else None
    return page[1].rstrip("/") if page else text
