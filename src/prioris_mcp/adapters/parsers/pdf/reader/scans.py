"""Scanned pages of a PDF, read one by one as far as the time goes: what was read is kept, what was not is named."""

from __future__ import annotations

import contextlib
import os
import queue
import sys
import threading
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeVar

from prioris_mcp.adapters.parsers.pdf.reader.ocr import Ocr
from prioris_mcp.adapters.parsers.pdf.reader.pages import Page, library, page_of

if TYPE_CHECKING:
    from liteparse.types import ParsedPage, TextItem

T = TypeVar("T")

LONGEST = 30.0
"""Seconds for one look at one page; whatever reads the pages has then failed, and is asked no more."""
_ORIENTATIONS = (0, 270, 90, 180)
_READABLE = 0.8
"""Confidence from which nobody looks from another side."""
_GUESSED = 0.6
"""Confidence below which what was read is noise: handwriting, a drawing, a page on its side."""
_LEAST = 3
"""Letters that tell from a word's shape whether it lies."""
_NO_TIME = "there was no time to read it"
_NO_ANSWER = "OCR gave no usable answer for it"


class OverdueError(Exception):
    """Something took longer than it may, and is still at it."""


@dataclass(frozen=True, slots=True)
class Look:
    """What OCR made of a page in one orientation."""

    page: ParsedPage
    confidence: float
    """Mean over the characters, from 0 to 1."""
    lying: float
    """How many characters stand in words that are wider than high, as those of an upright page are, each weighed
    by its confidence."""

    @property
    def sure(self) -> bool:
        """Whether the page was seen upright."""
        return self.confidence >= _READABLE and self.lying > 0

    @classmethod
    def at(cls, page: ParsedPage) -> Look:
        """Judge a page by what was read on it; text that the page itself holds has no confidence and counts nothing."""
        read = [(item, item.confidence) for item in page.text_items if item.confidence is not None]
        letters = sum(len(item.text) for item, _ in read)
        weight = sum(len(item.text) * confidence for item, confidence in read)
        lying = sum(len(item.text) * confidence for item, confidence in read if _lies(item))
        standing = weight - lying
        return cls(page, weight / letters if letters else 0.0, max(0.0, lying - standing))


def read_scans(
    pages: Sequence[Page], pdf: bytes, ocr: Ocr, left: Callable[[], float], progress: Callable[[int, int], None]
) -> list[Page]:
    """*pages* with the scanned ones read; *left* gives the seconds that there still are for it."""
    read, given_up = list(pages), ""
    scans = [index for index, page in enumerate(pages) if page.is_scan]
    for done, index in enumerate(scans, len(pages) - len(scans) + 1):
        given_up = given_up or (_NO_TIME if left() <= 0 else "")
        try:
            found = pages[index] if given_up else _read(pages[index], index + 1, pdf, ocr, left)
        except OverdueError:
            given_up, found = _NO_TIME if left() <= 0 else _NO_ANSWER, pages[index]
        read[index] = replace(found, unread=given_up) if given_up else found
        progress(done, len(pages))
    return read


def _read(page: Page, number: int, pdf: bytes, ocr: Ocr, left: Callable[[], float]) -> Page:
    """The page as OCR reads it from the side from which it reads best; as it was where it cannot."""
    from liteparse.types import ParseError as LibraryError

    looks: list[Look] = []
    for angle in _ORIENTATIONS:
        if looks and left() <= 0:
            break
        turned = library(**ocr.settings, target_pages=str(number), page_orientation_corrections=[(number, angle)])
        try:
            with _silent():
                found = within(min(LONGEST, left()), lambda: turned.parse(pdf).pages)  # noqa: B023 - awaited here
        except LibraryError:
            return replace(page, unread=_NO_ANSWER)
        except OverdueError:
            if looks:
                break
            raise
        looks += map(Look.at, found)
        if looks and looks[-1].sure:
            break
    best = max(looks, key=lambda look: look.lying, default=None)
    if best is None or best.confidence < _GUESSED:
        return page
    return page_of(best.page, page.pictures)


def within(seconds: float, work: Callable[[], T]) -> T:
    """What *work* gives, or OverdueError; its thread is then left to itself, and the process should end soon."""
    answers: queue.SimpleQueue[tuple[T | None, BaseException | None]] = queue.SimpleQueue()

    def run() -> None:
        try:
            answers.put((work(), None))
        except BaseException as exc:  # noqa: BLE001 - handed to who waits
            answers.put((None, exc))

    threading.Thread(target=run, name="ocr", daemon=True).start()
    try:
        answer, failure = answers.get(timeout=max(0.0, seconds))
    except queue.Empty:
        raise OverdueError from None
    if failure:
        raise failure
    return answer  # type: ignore[return-value]


def _lies(item: TextItem) -> bool:
    return len(item.text) < _LEAST or item.width > item.height


@contextlib.contextmanager
def _silent() -> Generator[None]:
    """Nothing on standard error: the library prints addresses and answers of an OCR server there."""
    sys.stderr.flush()
    kept, nowhere = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)
