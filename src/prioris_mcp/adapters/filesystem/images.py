"""Read and write rows of ``catalogue.sqlite`` about the images of a Markdown artefact, which go when that goes.

Functions here run inside a transaction that the caller opened.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass

import apsw

from prioris_mcp.adapters.filesystem.blobs import new_name
from prioris_mcp.domain.documents import DocumentKey
from prioris_mcp.domain.markdown import Image, Markdown, Span

_COLUMNS = "id, name, size, sha256, media_type"


@dataclass(frozen=True, slots=True)
class ImageRow:
    """Hold one image, as ``metadata.jsonl`` repeats it; its file lies beside that of its Markdown."""

    id: str
    name: str
    size: int
    sha256: str
    media_type: str


def row_of(image: Image) -> ImageRow:
    """Return a row for an image that is about to be stored."""
    digest = hashlib.sha256(image.content).hexdigest()
    return ImageRow(image.id, new_name("image"), len(image.content), digest, image.media_type)


def put(db: apsw.Connection, artefact: int, key: DocumentKey, markdown: Markdown, rows: Iterable[ImageRow]) -> None:
    """Write the image rows of a Markdown artefact, and for each the manifest row that says where it is shown."""
    for position, row in enumerate(rows, 1):
        span = markdown.showing(key.uri(f"images/{row.id}")) or Span(0, 0)
        page = str((markdown.pages_of(span) or (0,))[0])
        db.execute(
            f"INSERT INTO image(artefact, {_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?)",
            (artefact, row.id, row.name, row.size, row.sha256, row.media_type),
        )
        db.execute(
            "INSERT INTO manifest(artefact, position, id, kind, key, provenance, scheme, spans)"
            " VALUES (?, ?, ?, 'image', ?, 'parser', NULL, ?)",
            (artefact, position, row.id, page, json.dumps([{"start": span.start, "length": span.length}])),
        )


def rows(db: apsw.Connection, artefact: int) -> list[ImageRow]:
    """Return the image rows of an artefact."""
    return [ImageRow(*values) for values in db.execute(f"SELECT {_COLUMNS} FROM image WHERE artefact = ?", (artefact,))]


def names_in(db: apsw.Connection, folder: str) -> set[str]:
    """Return the file names of images that the catalogue lists in *folder*."""
    found = db.execute(
        "SELECT image.name FROM image JOIN artefact ON artefact.id = image.artefact WHERE artefact.folder = ?",
        (folder,),
    )
    return {name for (name,) in found}
