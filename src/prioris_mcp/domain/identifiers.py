"""The spellings in which people and models write identifiers, and the one spelling we keep.

Nothing here asks a network. Page addresses are understood on exactly the hosts listed, by http or https,
without user information and without a port.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

from prioris_mcp.errors import InvalidRequestError, UnsupportedProviderError

ARXIV_HOSTS = frozenset({"arxiv.org", "www.arxiv.org", "export.arxiv.org"})
EUROPEPMC_HOSTS = frozenset({"europepmc.org", "www.europepmc.org"})
PMC_HOSTS = frozenset({"pmc.ncbi.nlm.nih.gov", "www.ncbi.nlm.nih.gov", "ncbi.nlm.nih.gov"})
_PUBMED_HOSTS = frozenset({"pubmed.ncbi.nlm.nih.gov"})
_DOI_HOSTS = frozenset({"doi.org", "dx.doi.org", "www.doi.org"})
SOURCES = ("MED", "PMC", "PPR", "PAT", "AGR", "CBA", "CTX", "ETH", "HIR", "NBK")
"""Europe PMC's sources of records."""

_SHOWN = 200
_FORMS = "2106.09685, hep-th/9901001v1, PMC4767193, MED:26551875, a DOI, or the address of one of their pages"


@dataclass(frozen=True, slots=True)
class ArxivId:
    """An arXiv identifier as arXiv indexes it: ``2106.09685``, ``hep-th/9901001``.

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


@dataclass(frozen=True, slots=True)
class EuropePmcId:
    """A record of Europe PMC: its source, and the number that the source gave it.

    For source PMC the number is the PMCID, ``PMC4767193``, which articles of other sources can have as well.
    """

    source: str
    number: str

    def __str__(self) -> str:
        return f"{self.source}:{self.number}"


@dataclass(frozen=True, slots=True)
class Doi:
    """A DOI, in lower case: DOIs do not tell capitals apart."""

    text: str

    def __str__(self) -> str:
        return self.text

    @property
    def arxiv(self) -> ArxivId | None:
        """The paper that a DOI of arXiv's names."""
        return _arxiv(self.text.removeprefix(_ARXIV_DOI)) if self.text.startswith(_ARXIV_DOI) else None


@dataclass(frozen=True, slots=True)
class LocalFileId:
    """A file that a caller sent: ``20260729-1430-a3f2``."""

    text: str

    def __str__(self) -> str:
        return self.text


Identifier = ArxivId | EuropePmcId | Doi | LocalFileId

_NEW = re.compile(r"(\d{4}\.\d{4,5})(?:v(\d+))?", re.IGNORECASE | re.ASCII)
_OLD = re.compile(r"([a-z]+(?:-[a-z]+)?)(?:\.[a-z-]{2,8})?/(\d{7})(?:v(\d+))?", re.IGNORECASE | re.ASCII)
_DOI = re.compile(r"10\.\d{4,9}(?:\.\d+)*/\S+", re.ASCII)
_ARXIV_DOI = "10.48550/arxiv."
_LOCAL = re.compile(r"\d{8}-\d{4}-[0-9a-z]{4}", re.ASCII)
_PMCID = re.compile(r"(?:PMC)?([1-9]\d{0,8})", re.IGNORECASE | re.ASCII)
_PREFIXED_PMCID = re.compile(r"PMC([1-9]\d{0,8})", re.IGNORECASE | re.ASCII)
_PMID = re.compile(r"[1-9]\d{0,7}", re.ASCII)
_PREPRINT = re.compile(r"PPR\d{1,9}", re.IGNORECASE | re.ASCII)
_NUMBER = re.compile(r"[A-Za-z0-9._-]{1,40}", re.ASCII)
_LABEL = re.compile(r"(arxiv|doi|pmid|pmcid)\s*:\s*", re.IGNORECASE)
_SOURCED = re.compile(rf"({'|'.join(SOURCES)})\s*[:/]\s*(\S+)", re.IGNORECASE | re.ASCII)
_UNKNOWN_SOURCE = re.compile(r"[A-Za-z]{2,5}:\S+", re.ASCII)
_ADDRESS = re.compile(r"[a-z][a-z0-9+.-]*://", re.IGNORECASE)
_HOSTED = re.compile(r"(?:[a-z0-9-]+\.)+[a-z]{2,}/", re.IGNORECASE)
_SUFFIX = ".pdf"


def recognise(text: str) -> Identifier:
    """What *text* identifies.

    InvalidRequestError for what is no identifier at all, UnsupportedProviderError for one that no source of
    ours serves.
    """
    bare = text.strip()
    label = _LABEL.match(bare)
    found = _LABELLED[label[1].lower()](bare[label.end() :]) if label else _of_text(bare) or _of_address(bare)
    if found is None:
        raise _refusal(text, bare)
    return found


def _refusal(text: str, bare: str) -> InvalidRequestError | UnsupportedProviderError:
    given = repr(text[:_SHOWN])
    if _ADDRESS.match(bare) or _HOSTED.match(bare):
        return UnsupportedProviderError(
            f"no source of this server serves the address {given}; give a DOI or an identifier, or add the PDF with"
            " research_localfile_fetch_full_text"
        )
    if not bare or bare[0].isdecimal() or _LABEL.match(bare):
        return InvalidRequestError(
            f"not an identifier: {given}; expected a form such as {_FORMS}; an old arXiv number needs its archive"
            " (cs/0112017), a DOI what follows its slash"
        )
    if _UNKNOWN_SOURCE.fullmatch(bare):
        return UnsupportedProviderError(f"unknown source in {given}; Europe PMC's sources are {', '.join(SOURCES)}")
    return UnsupportedProviderError(f"no source of this server knows {given}; expected a form such as {_FORMS}")


def _of_text(text: str) -> Identifier | None:
    """An identifier without label or address."""
    for read in (_arxiv, _sourced, _prefixed_pmcid, _preprint, _doi, _local, _pmid):
        if found := read(text):
            return found
    return None


def _arxiv(text: str) -> ArxivId | None:
    bare = text[: -len(_SUFFIX)] if text.lower().endswith(_SUFFIX) else text
    if match := _NEW.fullmatch(bare):
        return ArxivId(match[1], _version(match[2]))
    if match := _OLD.fullmatch(bare):
        return ArxivId(f"{match[1].lower()}/{match[2]}", _version(match[3]))
    return None


def _version(digits: str | None) -> int | None:
    return int(digits[:9]) if digits else None


def _sourced(text: str) -> EuropePmcId | None:
    match = _SOURCED.fullmatch(text)
    if match is None:
        return None
    source, number = match[1].upper(), match[2]
    if source == "PMC":
        return _pmcid(number)
    return EuropePmcId(source, number.upper()) if _NUMBER.fullmatch(number) else None


def _pmcid(text: str) -> EuropePmcId | None:
    match = _PMCID.fullmatch(text)
    return EuropePmcId("PMC", f"PMC{match[1]}") if match else None


def _prefixed_pmcid(text: str) -> EuropePmcId | None:
    return _pmcid(text) if _PREFIXED_PMCID.fullmatch(text) else None


def _pmid(text: str) -> EuropePmcId | None:
    return EuropePmcId("MED", text) if _PMID.fullmatch(text) else None


def _preprint(text: str) -> EuropePmcId | None:
    return EuropePmcId("PPR", text.upper()) if _PREPRINT.fullmatch(text) else None


def _doi(text: str) -> Doi | None:
    return Doi(text.lower()) if _DOI.fullmatch(text) else None


def _local(text: str) -> LocalFileId | None:
    return LocalFileId(text.lower()) if _LOCAL.fullmatch(text.lower()) else None


_LABELLED: dict[str, Callable[[str], Identifier | None]] = {
    "arxiv": _arxiv,
    "doi": _doi,
    "pmid": _pmid,
    "pmcid": _pmcid,
}


def _of_address(text: str) -> Identifier | None:
    """The identifier in the address of a page on one of the hosts that we know."""
    address = text if _ADDRESS.match(text) else f"https://{text}"
    try:
        parts = urlsplit(address)
        path = unquote(parts.path, errors="strict")
    except (ValueError, UnicodeDecodeError):
        return None
    if parts.scheme.lower() not in ("http", "https"):
        return None
    for hosts, pattern, read in _PAGES:
        if parts.netloc.lower() in hosts and (match := pattern.fullmatch(path)):
            return read(match[1].rstrip("/"))
    return None


_PAGES: tuple[tuple[frozenset[str], re.Pattern[str], Callable[[str], Identifier | None]], ...] = (
    (ARXIV_HOSTS, re.compile(r"/(?:abs|pdf|html|format|e-print)/(.+)", re.IGNORECASE), _arxiv),
    (_DOI_HOSTS, re.compile(r"/(10\..+)"), _doi),
    (EUROPEPMC_HOSTS, re.compile(r"/(?:article|abstract)/([a-z]{3}/[^/]+)/?", re.IGNORECASE), _sourced),
    (EUROPEPMC_HOSTS, re.compile(r"/articles/(PMC\d+)(?:/.*)?", re.IGNORECASE), _pmcid),
    (PMC_HOSTS, re.compile(r"/(?:pmc/)?articles/((?:PMC)?\d+)(?:/.*)?", re.IGNORECASE), _pmcid),
    (_PUBMED_HOSTS, re.compile(r"/(\d+)/?"), _pmid),
)
