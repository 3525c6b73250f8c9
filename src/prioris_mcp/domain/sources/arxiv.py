"""arXiv's identifiers: ``2106.09685``, ``hep-th/9901001v1``, and its row of the table."""

from __future__ import annotations

import re
from dataclasses import dataclass

from prioris_mcp.domain.documents import ProviderName, SourceFormat
from prioris_mcp.domain.sources.spec import Identifier, Pages, SourceSpec, Spellings

HOSTS = frozenset({"arxiv.org", "www.arxiv.org", "export.arxiv.org"})
_READERS = frozenset({
    "ar5iv.org", "www.ar5iv.org", "ar5iv.labs.arxiv.org", "alphaxiv.org", "www.alphaxiv.org", "huggingface.co", "hf.co"
})  # fmt: skip
"""Sites that show arXiv's papers under arXiv's identifiers; they are read, never requested."""
_NEW = re.compile(r"(\d{4}\.\d{4,5})(?:v(\d+))?", re.IGNORECASE | re.ASCII)
_OLD = re.compile(r"([a-z]+(?:-[a-z]+)?)(?:\.[a-z-]{2,8})?/(\d{7})(?:v(\d+))?", re.IGNORECASE | re.ASCII)
_STAMP = re.compile(
    r"(\S+?)(?:\s*\[[a-z-]{2,10}(?:\.[a-z-]{2,10})?\]|(?=[\s,;]))"
    r"(?:[\s,;]*(?:\d{1,2}\s*[a-z]{3,9}\.?\s*)?\(?(?:19|20)\d\d\)?)?",
    re.IGNORECASE | re.ASCII,
)
"""What arXiv prints on a paper behind its number: class and date; a list of references gives the year."""
_LOOSE = re.compile(
    r"arxiv(?!\.org\b)(?:\s+preprint)?(?:[\s:.,]*arxiv)?[\s:.]*(?:abs/)?(?=\d|[a-z-]+(?:\.[a-z-]+)?/\d{7})",
    re.IGNORECASE | re.ASCII,
)
_PATH = re.compile(r"/(?:abs|pdf|html|format|e-print|src|ps|tb)/(?:arxiv:)?(.+)", re.IGNORECASE)
_READERS_PATH = re.compile(r"/(?:abs|pdf|html|papers|overview|resources)/(?:arxiv:)?(.+)", re.IGNORECASE)
_SUFFIX = ".pdf"


@dataclass(frozen=True, slots=True)
class ArxivId(Identifier):
    """Name a paper as arXiv indexes it. *version* None, where the caller left it open, means the newest."""

    base: str
    version: int | None = None

    def __str__(self) -> str:
        return self.base if self.version is None else f"{self.base}v{self.version}"

    @property
    def work(self) -> str:
        """Return the paper, whatever its version."""
        return self.base

    @property
    def pinned(self) -> bool:
        """Tell whether a version is named."""
        return self.version is not None

    @property
    def leads_to_text(self) -> bool:
        """Tell that every paper has full text."""
        return True


def _read(text: str) -> ArxivId | None:
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


ARXIV = SourceSpec(
    name=ProviderName("arxiv"),
    label="arXiv",
    kinds=(ArxivId,),
    called="an arXiv identifier",
    expected=("expected a form such as 2106.09685, 2106.09685v2 or hep-th/9901001",),
    formats=(SourceFormat.PDF, SourceFormat.HTML),
    offers="arXiv offers pdf and html",
    spellings=Spellings(
        "2106.09685, hep-th/9901001v1",
        (_read,),
        {"arxiv": _read},
        ((_LOOSE, _read),),
        (Pages(HOSTS, _PATH, _read), Pages(_READERS, _READERS_PATH, _read, own=False)),
    ),
    dois=("10.48550/arxiv.", _read),
    versioned=True,
    argument="arxiv_id",
)
