"""Write ``metadata.jsonl`` beside the files: what the catalogue knows of them, so that it can be rebuilt.

It names at least what the catalogue lists: it is written before a new row is committed, and after a deleted one is.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

import apsw

from prioris_mcp.adapters.filesystem import catalogue, images
from prioris_mcp.adapters.filesystem.blobs import SIDECAR, Blobs, folder_of
from prioris_mcp.adapters.filesystem.catalogue import ArtefactRow
from prioris_mcp.adapters.filesystem.images import ImageRow
from prioris_mcp.domain.documents import Artefact, DocumentKey, SourceFormat
from prioris_mcp.domain.markdown import Span
from prioris_mcp.domain.sources.table import provider_named


@dataclass(frozen=True, slots=True)
class SidecarRecord:
    """Hold one artefact, as its sidecar describes it."""

    library: str
    """Name the catalogue that listed it."""
    row: ArtefactRow
    leaves: tuple[Span, ...]
    aliases: tuple[str, ...]
    images: tuple[ImageRow, ...] = ()


def write_sidecar(blobs: Blobs, db: apsw.Connection, key: DocumentKey) -> None:
    """Bring the sidecar of *key* up to date; remove it, and the empty folder, where no artefact is left.

    Call it inside a write transaction.
    """
    folder, rows = folder_of(key), catalogue.find_all(db, key)
    if rows:
        text = "".join(json.dumps(_facts(db, row), ensure_ascii=False) + "\n" for row in rows)
        blobs.place(blobs.stage(text.encode()), folder, SIDECAR)
    else:
        blobs.remove(folder, SIDECAR)
        blobs.prune(folder)


def read_sidecar(blobs: Blobs, folder: str) -> Iterator[SidecarRecord]:
    """Return the lines of a folder's sidecar that make sense."""
    for text in (blobs.read(folder, SIDECAR) or b"").decode("utf-8", "replace").splitlines():
        try:
            yield _line(folder, json.loads(text))
        except (KeyError, TypeError, ValueError):
            continue


def _facts(db: apsw.Connection, row: ArtefactRow) -> dict[str, Any]:
    return {
        "library": catalogue.library_id(db),
        "provider": row.key.provider,
        "identifier": row.key.identifier,
        "format": row.key.format,
        "artefact": row.artefact,
        "name": row.name,
        "size": row.size,
        "sha256": row.sha256,
        "stored_at": row.stored_at,
        "original_identifier": row.original_identifier,
        "parser": row.parser,
        "paged": row.paged,
        "aliases": catalogue.aliases(db, row.key.provider, row.key.identifier),
        "leaves": [[leaf.start, leaf.length] for leaf in catalogue.leaves(db, row.id)],
        "images": [asdict(image) for image in images.rows(db, row.id)],
    }


def _line(folder: str, facts: dict[str, Any]) -> SidecarRecord:
    key = DocumentKey(provider_named(facts["provider"]), facts["identifier"], SourceFormat(facts["format"]))
    row = ArtefactRow(
        0,
        key,
        Artefact(facts["artefact"]),
        folder,
        facts["name"],
        facts["size"],
        facts["sha256"],
        facts["stored_at"],
        facts["original_identifier"],
        facts["parser"],
        facts["paged"],
    )
    if folder_of(key) != folder:
        raise ValueError(folder)
    spans = tuple(Span(start, length) for start, length in facts["leaves"])
    shown = tuple(ImageRow(**image) for image in facts.get("images", ()))
    return SidecarRecord(facts["library"], row, spans, tuple(facts["aliases"]), shown)
