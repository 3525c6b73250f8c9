"""Europe PMC's identifiers: ``PMC4767193``, ``MED:26551875``, and its row of the table."""

from __future__ import annotations

import re
from dataclasses import dataclass

from prioris_mcp.domain.documents import ProviderName, SourceFormat
from prioris_mcp.domain.sources.doi import Doi
from prioris_mcp.domain.sources.spec import Identifier, Pages, SourceSpec, Spellings

_HOSTS = frozenset({"europepmc.org", "www.europepmc.org"})
_PMC_HOSTS = frozenset({"pmc.ncbi.nlm.nih.gov", "www.ncbi.nlm.nih.gov", "ncbi.nlm.nih.gov"})
_PUBMED_HOSTS = frozenset({"pubmed.ncbi.nlm.nih.gov"})
_NCBI_HOSTS = frozenset({"www.ncbi.nlm.nih.gov", "ncbi.nlm.nih.gov"})
RECORDS = ("MED", "PMC", "PPR", "PAT", "AGR", "CBA", "CTX", "ETH", "HIR", "NBK")
"""Where Europe PMC has its records from."""
_PMCID = re.compile(r"(?:PMC\s*)?([1-9]\d{0,8})(?:\.\d{1,2})?/?(?:\s*\[pmcid\])?", re.IGNORECASE | re.ASCII)
_PREFIXED_PMCID = re.compile(r"PMC\s*\d.*", re.IGNORECASE | re.ASCII)
_PMID = re.compile(r"([1-9]\d{0,7})/?(?:\s*\[(?:pmid|uid)\])?", re.IGNORECASE | re.ASCII)
_PREPRINT = re.compile(r"PPR\d{1,9}", re.IGNORECASE | re.ASCII)
_NUMBER = re.compile(r"[A-Za-z0-9._-]{1,40}", re.ASCII)
_SOURCED = re.compile(rf"({'|'.join(RECORDS)})\s*[:/]\s*(\S+)", re.IGNORECASE | re.ASCII)


@dataclass(frozen=True, slots=True)
class EuropePmcId(Identifier):
    """Name a record of Europe PMC by its source and the number that the source gave it.

    For source PMC the number is the PMCID, ``PMC4767193``, which articles of other sources can have as well.
    """

    source: str
    number: str

    def __str__(self) -> str:
        return f"{self.source}:{self.number}"

    @property
    def written(self) -> str:
        """Return a PMCID without its source, which it names itself."""
        return self.number if self.source == "PMC" else str(self)

    @property
    def leads_to_text(self) -> bool:
        """Tell whether the article is one of PubMed Central, which has the full texts."""
        return self.source == "PMC"


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


EUROPEPMC: SourceSpec[EuropePmcId | Doi] = SourceSpec(
    name=ProviderName("europepmc"),
    label="Europe PMC",
    kinds=(EuropePmcId, Doi),
    called="a Europe PMC identifier",
    expected=("expected a form such as PMC4767193, MED:26551875 or a DOI",),
    formats=(SourceFormat.XML,),
    offers="Europe PMC offers xml",
    spellings=Spellings(
        "PMC4767193, MED:26551875",
        (_sourced, _prefixed_pmcid, _preprint, _pmid),
        {"pmid": _pmid, "pmcid": _pmcid},
        (
            (re.compile(r"pmcid\s*(?=PMC|\d)", re.IGNORECASE | re.ASCII), _pmcid),
            (re.compile(r"pmid\s*(?=PMC|\d)|pubmed(?:\s*id)?[\s:]*(?=\d)", re.IGNORECASE | re.ASCII), _pmid),
        ),
        (
            Pages(_HOSTS, re.compile(r"/(?:article|abstract)/([a-z]{3}/[^/]+)(?:/.*)?", re.IGNORECASE), _sourced),
            Pages(_HOSTS, re.compile(r"/articles/(PMC\d+(?:\.\d+)?)(?:/.*)?", re.IGNORECASE), _pmcid),
            Pages(
                _PMC_HOSTS,
                re.compile(r"/(?:labs/)?(?:pmc/)?articles/((?:PMC)?\d+(?:\.\d+)?)(?:/.*)?", re.IGNORECASE),
                _pmcid,
            ),
            Pages(_PUBMED_HOSTS, re.compile(r"/(\d+)/?"), _pmid),
            Pages(_NCBI_HOSTS, re.compile(r"/(?:(?:m/)?pubmed|pmc/articles/pmid)/(\d+)/?"), _pmid),
        ),
    ),
    aliased=True,
    tells_availability=True,
)
