"""PDFs that a caller sends: what is accepted, what they are called, and their row of the table."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime

from prioris_mcp.domain import pdfs
from prioris_mcp.domain.documents import ProviderName, SourceFormat
from prioris_mcp.domain.sources.spec import Identifier, SourceSpec, Spellings
from prioris_mcp.errors import FileTooLargeError, InvalidRequestError, NotFoundError
from prioris_mcp.remedies import Action, Remedy

_DATA_URL = re.compile(r"data:[^,]{0,200},")
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
_SUFFIX = 4
_OWNERS = 8
"""Who may use all of their sessions at the same time."""
_ID = re.compile(r"\d{8}-\d{4}-[0-9a-z]{4}", re.ASCII)
_NAME = ProviderName("localfile")


@dataclass(frozen=True, slots=True)
class LocalFileId(Identifier):
    """Name a file that a caller sent: ``20260729-1430-a3f2``."""

    text: str

    def __str__(self) -> str:
        return self.text


def _read(text: str) -> LocalFileId | None:
    return LocalFileId(text.lower()) if _ID.fullmatch(text.lower()) else None


LOCALFILE = SourceSpec(
    name=_NAME,
    label="local file",
    kinds=(LocalFileId,),
    called="an identifier of a local file",
    expected=("they look like 20260729-1430-a3f2, and ", Remedy(Action.LIST_SOURCE, _NAME), " lists them"),
    formats=(SourceFormat.PDF,),
    offers="a local file is always a pdf",
    spellings=Spellings("", (_read,)),
    networked=False,
    argument="id",
)


def decoded(text: str, most: int, what: str) -> bytes:
    """Return the bytes that *text* encodes in base64; line breaks and a ``data:`` prefix are no harm.

    Raise FileTooLargeError over *most* bytes, seen before anything is decoded; InvalidRequestError for what is no
    base64. *what* names the argument.
    """
    packed = "".join(_DATA_URL.sub("", text, count=1).split())
    if len(packed) > 4 * -(-most // 3):
        raise FileTooLargeError(f"{what} is larger than {most} bytes, the most that this server takes; send less")
    try:
        content = base64.b64decode(packed, validate=True)
    except (binascii.Error, ValueError):
        raise InvalidRequestError(f"{what} is no valid base64; encode the file's bytes as standard base64") from None
    return within(content, most, what)


def within(content: bytes, most: int, what: str) -> bytes:
    """Return *content*. Raise FileTooLargeError where it is larger than *most* bytes."""
    if len(content) > most:
        raise FileTooLargeError(
            f"{what} is {len(content)} bytes, and this server takes at most {most}; send a smaller file"
        )
    return content


def checked_pdf(content: bytes) -> bytes:
    """Return *content*. Raise InvalidRequestError where it begins as no PDF, or has a PDF's parts but not its end."""
    if not pdfs.begins(content):
        raise InvalidRequestError("the file is no PDF: no %PDF- at its beginning; only PDFs can be added")
    if pdfs.has_objects(content) and not pdfs.ends(content):
        raise InvalidRequestError(
            f"the file is a PDF of which a part is missing ({len(content)} bytes came); send the whole file, and the"
            " chunks of an upload in order, each after the one before was taken"
        )
    return content


def names(now: datetime, choose: Callable[[str], str]) -> Iterator[str]:
    """Return identifiers of the form ``YYYYMMDD-HHmm-xxxx``, as many as are asked for."""
    while True:
        yield f"{now:%Y%m%d-%H%M}-{''.join(choose(_DIGITS) for _ in range(_SUFFIX))}"


@dataclass(frozen=True, slots=True)
class UploadLimits:
    """Say what uploads may cost: bytes of a chunk and of a file, sessions of one owner, seconds between two chunks."""

    chunk: int
    file: int
    sessions: int
    seconds: float

    @property
    def altogether(self) -> int:
        """Sessions of all owners."""
        return self.sessions * _OWNERS


@dataclass(frozen=True, slots=True)
class Upload:
    """A file that arrives in pieces."""

    filename: str | None
    touched: float
    """When the last piece came, in seconds of any steady clock."""
    pieces: tuple[bytes, ...] = ()
    owner: str = ""
    """Whoever opened it; "" where callers are not told apart."""

    @property
    def size(self) -> int:
        """Bytes so far."""
        return sum(map(len, self.pieces))

    def expired(self, now: float, limits: UploadLimits) -> bool:
        """Tell whether its caller has stayed away too long."""
        return now - self.touched > limits.seconds

    def with_piece(self, index: int, piece: bytes, now: float, limits: UploadLimits) -> Upload:
        """Return the upload with one more piece; an error changes nothing."""
        if index != len(self.pieces):
            raise InvalidRequestError(f"index must be {len(self.pieces)}, the next chunk of this upload, got {index}")
        if len(piece) > limits.chunk:
            raise FileTooLargeError(f"the chunk is {len(piece)} bytes; a chunk holds at most {limits.chunk}")
        if self.size + len(piece) > limits.file:
            raise FileTooLargeError(
                f"the file is larger than {limits.file} bytes, the most that this server takes; send a smaller file"
            )
        return replace(self, touched=now, pieces=(*self.pieces, piece))

    def content(self) -> bytes:
        """Return the whole file. Raise InvalidRequestError where nothing has come."""
        if not self.pieces:
            raise InvalidRequestError("no chunk was uploaded; begin again with ", Remedy(Action.BEGIN_UPLOAD))
        return b"".join(self.pieces)


def unknown_upload(session: str) -> NotFoundError:
    """Return the failure for a session that is not there, or no longer."""
    return NotFoundError(
        f"no open upload is called {session[:100]!r}: it ended or expired; call ", Remedy(Action.BEGIN_UPLOAD)
    )
