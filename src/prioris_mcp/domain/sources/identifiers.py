"""The spellings in which people and models write identifiers, and the one spelling we keep.

Nothing here asks a network. Page addresses are understood on exactly the hosts listed, by http or https,
without user information and without a port.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

from prioris_mcp.domain.sources.pasted import LONGEST, cleaned
from prioris_mcp.errors import InvalidRequestError, UnsupportedProviderError
from prioris_mcp.remedies import ADD_FILE

ARXIV_HOSTS = frozenset({"arxiv.org", "www.arxiv.org", "export.arxiv.org"})
EUROPEPMC_HOSTS = frozenset({"europepmc.org", "www.europepmc.org"})
PMC_HOSTS = frozenset({"pmc.ncbi.nlm.nih.gov", "www.ncbi.nlm.nih.gov", "ncbi.nlm.nih.gov"})
_ARXIV_READERS = frozenset({
    "ar5iv.org", "www.ar5iv.org", "ar5iv.labs.arxiv.org", "alphaxiv.org", "www.alphaxiv.org", "huggingface.co", "hf.co"
})  # fmt: skip
"""Sites that show arXiv's papers under arXiv's identifiers; they are read, never requested."""
_PUBMED_HOSTS = frozenset({"pubmed.ncbi.nlm.nih.gov"})
_NCBI_HOSTS = frozenset({"www.ncbi.nlm.nih.gov", "ncbi.nlm.nih.gov"})
_LANDING_HOSTS = ARXIV_HOSTS | EUROPEPMC_HOSTS | PMC_HOSTS | _PUBMED_HOSTS
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
        return _ESCAPE.sub("%25", self.text)

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
_STAMP = re.compile(
    r"(\S+?)(?:\s*\[[a-z-]{2,10}(?:\.[a-z-]{2,10})?\]|(?=[\s,;]))"
    r"(?:[\s,;]*(?:\d{1,2}\s*[a-z]{3,9}\.?\s*)?\(?(?:19|20)\d\d\)?)?",
    re.IGNORECASE | re.ASCII,
)
"""What arXiv prints on a paper behind its number: class and date; a list of references gives the year."""
_DOI = re.compile(r"10\.\d{4,9}(?:\.\d+)*/[^\s\x00-\x1f\x7f]+", re.ASCII)
_ESCAPE = re.compile(r"%(?=[0-9a-f]{2})", re.IGNORECASE)
_ARXIV_DOI = "10.48550/arxiv."
_LOCAL = re.compile(r"\d{8}-\d{4}-[0-9a-z]{4}", re.ASCII)
_PMCID = re.compile(r"(?:PMC\s*)?([1-9]\d{0,8})(?:\.\d{1,2})?/?(?:\s*\[pmcid\])?", re.IGNORECASE | re.ASCII)
_PREFIXED_PMCID = re.compile(r"PMC\s*\d.*", re.IGNORECASE | re.ASCII)
_PMID = re.compile(r"([1-9]\d{0,7})/?(?:\s*\[(?:pmid|uid)\])?", re.IGNORECASE | re.ASCII)
_PREPRINT = re.compile(r"PPR\d{1,9}", re.IGNORECASE | re.ASCII)
_NUMBER = re.compile(r"[A-Za-z0-9._-]{1,40}", re.ASCII)
_LABEL = re.compile(
    r"(?:info|urn):(arxiv|doi|pmid|pmcid)[:/]\s*|(arxiv|doi|pmid|pmcid)\s*:\s*|(doi)(?:\s+|[/=])", re.IGNORECASE
)
_LOOSE_LABEL = re.compile(
    r"(arxiv)(?!\.org\b)(?:\s+preprint)?(?:[\s:.,]*arxiv)?[\s:.]*(?:abs/)?(?=\d|[a-z-]+(?:\.[a-z-]+)?/\d{7})"
    r"|(pmcid|pmid)\s*(?=PMC|\d)|pub(med)(?:\s*id)?[\s:]*(?=\d)",
    re.IGNORECASE | re.ASCII,
)
"""Labels without a colon; they count only before what they announce."""
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
    if len(text) > LONGEST:
        raise InvalidRequestError(
            f"not an identifier: {text[:_SHOWN]!r}… has {len(text)} characters, {LONGEST} at most; expected a form such"
            f" as {_FORMS}"
        )
    bare = cleaned(text)
    found = _labelled(bare) or _of_text(bare) or _of_address(bare)
    if found is None:
        raise _refusal(text, bare)
    return found


def landed(address: str) -> ArxivId | EuropePmcId | None:
    """What the page at *address* is about, to which a DOI leads; only pages on the sources' own hosts count."""
    try:
        host = urlsplit(address).netloc.lower()
    except ValueError:
        return None
    found = _of_address(address) if len(address) <= LONGEST and host in _LANDING_HOSTS else None
    return found if isinstance(found, ArxivId | EuropePmcId) else None


def _labelled(bare: str) -> Identifier | None:
    """What stands behind a label; behind a label with a colon it can be an address as well."""
    if label := _LABEL.match(bare):
        rest = bare[label.end() :]
        return _LABELLED[label[label.lastindex or 0].lower()](rest) or _of_address(rest)
    if label := _LOOSE_LABEL.match(bare):
        return _LABELLED[label[label.lastindex or 0].lower()](bare[label.end() :])
    return None


def _refusal(text: str, bare: str) -> InvalidRequestError | UnsupportedProviderError:
    given = repr(text[:_SHOWN])
    if _ADDRESS.match(bare) or _HOSTED.match(bare):
        return UnsupportedProviderError(
            f"no source of this server serves the address {given}; give a DOI or an identifier, or add the PDF with ",
            ADD_FILE,
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
    if match := _STAMP.fullmatch(bare):
        bare = match[1]
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
    match = _PMID.fullmatch(text)
    return EuropePmcId("MED", match[1]) if match else None


def _preprint(text: str) -> EuropePmcId | None:
    return EuropePmcId("PPR", text.upper()) if _PREPRINT.fullmatch(text) else None


def _doi(text: str) -> Doi | None:
    """A DOI in *text*, which may be percent-encoded, once: slashes, brackets and angle brackets often are."""
    decoded = cleaned(_decoded(text) or "") if "%" in text else text
    return _plain_doi(decoded) or (_plain_doi(text) if decoded != text else None)


def _plain_doi(text: str) -> Doi | None:
    return Doi(text.lower()) if _DOI.fullmatch(text) else None


def _decoded(text: str) -> str | None:
    """*text* percent-decoded once; None where that is no text."""
    try:
        return unquote(text, errors="strict")
    except UnicodeDecodeError:
        return None


def _local(text: str) -> LocalFileId | None:
    return LocalFileId(text.lower()) if _LOCAL.fullmatch(text.lower()) else None


_LABELLED: dict[str, Callable[[str], Identifier | None]] = {
    "arxiv": _arxiv,
    "doi": _doi,
    "pmid": _pmid,
    "pmcid": _pmcid,
    "med": _pmid,
}


def _of_address(text: str) -> Identifier | None:
    """The identifier in the address of a page on one of the hosts that we know."""
    address = text if _ADDRESS.match(text) else f"https://{text}"
    try:
        parts = urlsplit(address)
        path = _decoded(parts.path)
    except ValueError:
        return None
    if parts.scheme.lower() not in ("http", "https") or path is None:
        return None
    for hosts, pattern, read in _PAGES:
        if parts.netloc.lower() in hosts and (match := pattern.fullmatch(cleaned(path))):
            return read(match[1].rstrip("/"))
    return None


_PAGES: tuple[tuple[frozenset[str], re.Pattern[str], Callable[[str], Identifier | None]], ...] = (
    (ARXIV_HOSTS, re.compile(r"/(?:abs|pdf|html|format|e-print|src|ps|tb)/(?:arxiv:)?(.+)", re.IGNORECASE), _arxiv),
    (_ARXIV_READERS, re.compile(r"/(?:abs|pdf|html|papers|overview|resources)/(?:arxiv:)?(.+)", re.IGNORECASE), _arxiv),
    (_DOI_HOSTS, re.compile(r"/(?:doi:\s*)?(10\..+)", re.IGNORECASE), _plain_doi),
    (EUROPEPMC_HOSTS, re.compile(r"/(?:article|abstract)/([a-z]{3}/[^/]+)(?:/.*)?", re.IGNORECASE), _sourced),
    (EUROPEPMC_HOSTS, re.compile(r"/articles/(PMC\d+(?:\.\d+)?)(?:/.*)?", re.IGNORECASE), _pmcid),
    (PMC_HOSTS, re.compile(r"/(?:labs/)?(?:pmc/)?articles/((?:PMC)?\d+(?:\.\d+)?)(?:/.*)?", re.IGNORECASE), _pmcid),
    (_PUBMED_HOSTS, re.compile(r"/(\d+)/?"), _pmid),
    (_NCBI_HOSTS, re.compile(r"/(?:(?:m/)?pubmed|pmc/articles/pmid)/(\d+)/?"), _pmid),
)
