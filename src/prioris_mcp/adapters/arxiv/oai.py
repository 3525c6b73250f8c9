"""arXiv's list of OAI-PMH sets, decoded into subject classes."""

from __future__ import annotations

from prioris_mcp.adapters import xmltree
from prioris_mcp.models.arxiv import ArxivCategories, ArxivCategory

_OAI = "{http://www.openarchives.org/OAI/2.0/}"


class NotASetListError(ValueError):
    """The bytes are no list of sets; the text says what they are."""


def decode(body: bytes) -> ArxivCategories:
    """The subject classes in a ``ListSets`` answer, by code, each once.

    A set is a subject class where no other set extends it by one more segment. Nine archives without
    subjects (``hep-th`` and others) are listed twice.
    """
    try:
        root = xmltree.parse(body)
    except xmltree.NotXmlError as exc:
        raise NotASetListError(f"no XML ({exc})") from None
    error = root.find(f"{_OAI}error")
    if error is not None:
        raise NotASetListError(f"{error.get('code')}: {error.text or ''}")
    sets = root.iter(f"{_OAI}set")
    names = {xmltree.folded(node, f"{_OAI}setSpec"): xmltree.folded(node, f"{_OAI}setName") for node in sets}
    if not names:
        raise NotASetListError("no set in the answer")
    # A setSpec is a path, its segments parted by colons: https://www.openarchives.org/OAI/openarchivesprotocol.html#Set
    parents = {spec.rpartition(":")[0] for spec in names}
    leaves = {_code(spec): name for spec, name in names.items() if spec not in parents and ":" in spec}
    return ArxivCategories(categories=[ArxivCategory(code=code, name=leaves[code]) for code in sorted(leaves)])


def _code(spec: str) -> str:
    """``physics:astro-ph:CO`` is ``astro-ph.CO``."""
    return ".".join(spec.split(":")[1:])
