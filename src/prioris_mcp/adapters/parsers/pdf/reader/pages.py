"""The pages of a PDF as liteparse reads them: in batches, and one by one where a batch fails."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from prioris_mcp.adapters.parsers.pdf.blocks import Layout, read_layout, read_words
from prioris_mcp.adapters.parsers.pdf.passes.rtl import SCRIPT, mostly
from prioris_mcp.adapters.parsers.pdf.pictures import Picture, pictures_by_page
from prioris_mcp.errors import ParseError

if TYPE_CHECKING:
    from liteparse import LiteParse
    from liteparse.types import ParsedPage, ParseResult

NO_PAGES = "the PDF has no pages"
_BATCH = 100
"""Pages; levels of headings and running heads are found within a batch, so most documents should be one."""
_A_STAMP = 30
"""Words: a scan may bear fewer as text, such as where it was downloaded from."""
_GIVE_UP_AFTER = 3
"""Failing pages at the start of a document whose number of pages is unknown."""
_IMAGE_REASONS = {"scanned", "embedded-images", "vector-text"}
_REASONS = (
    ("password", "the PDF is protected by a password and cannot be read without it"),
    ("invalid PDF format", "the PDF is damaged or cut short and cannot be read"),
    ("page not found", "the page is missing or damaged"),
)


@dataclass(frozen=True, slots=True)
class Page:
    """What the library gave for one page; *error* is a clause for a reader, empty where all went well."""

    layout: Layout = field(default_factory=Layout)
    text: str = ""
    has_image: bool = False
    error: str = ""
    pictures: tuple[Picture, ...] = ()
    is_scan: bool = False
    """Whether what there is to read is in an image; it may be, as long as nobody has looked closer."""
    unread: str = ""
    """Why OCR gave nothing, as a clause."""

    @property
    def shows_something(self) -> bool:
        """Whether there is text or an image."""
        return self.layout.has_text or bool(self.text.strip()) or self.has_image


def read_pages(
    pdf: bytes, progress: Callable[[list[Page], int], None], *, images: bool = False, stamped: bool = True
) -> list[Page]:
    """All pages of *pdf* in order, with their pictures if *images*; raises ParseError when none can be read.

    *stamped*: whether to tell scans that bear a stamp as text from pages of few words.
    *progress* is told which pages there are so far, and how many there will be.
    """
    reader = _Reader(pdf, progress, images=images)
    reader.read()
    reader.look_closer(stamped=stamped)
    pages = [reader.found.get(number, Page(error="nothing was found there")) for number in range(1, reader.total + 1)]
    if not pages:
        raise ParseError(NO_PAGES)
    if all(page.error for page in pages):
        raise ParseError(f"no page of the PDF could be read: {pages[0].error}")
    return pages


class _Reader:
    """Collects pages from the library, which names them by number."""

    def __init__(self, pdf: bytes, progress: Callable[[list[Page], int], None], *, images: bool) -> None:
        self._pdf = pdf
        self._settings = {"ocr_enabled": False, "extract_images": images}
        self._progress = progress
        self.found: dict[int, Page] = {}
        self.total = 0

    def read(self) -> None:
        from liteparse.types import ParseError as LibraryError

        try:
            for batch in library(**self._settings).parse_batches(self._pdf, _BATCH):
                self._keep(batch.result, batch.total_pages)
                self._report()
        except LibraryError as exc:
            _refuse_if_hopeless(exc)
            self._read_singly(LibraryError)

    def look_closer(self, *, stamped: bool) -> None:
        """Ask what a page with few words shows besides, and where the words stand on one in right-to-left script.

        The library is slower where it is asked for all of that at once.
        """
        for number, page in self._again(
            lambda page: page.is_scan and (stamped or not page.text.strip()), include_complexity=True
        ):
            signs = _has_image(page)
            scan = _is_scan(page, self.found[number].text, has_image=signs)
            self.found[number] = replace(self.found[number], has_image=signs, is_scan=scan)
        for number, page in self._again(_is_right_to_left, emit_word_boxes=True):
            self.found[number].layout.words = read_words(page)

    def _again(self, wanted: Callable[[Page], bool], **more: bool) -> list[tuple[int, ParsedPage]]:
        from liteparse.types import ParseError as LibraryError

        numbers = [number for number, page in self.found.items() if not page.error and wanted(page)]
        if not numbers:
            return []
        settings = {**self._settings, **more, "target_pages": ",".join(map(str, numbers)), "extract_images": False}
        try:
            pages = library(**settings).parse(self._pdf).pages
        except LibraryError:
            return []
        return [(page.page_num, page) for page in pages if page.page_num in self.found]

    def _read_singly(self, failure: type[Exception]) -> None:
        """Read what a failed batch left out, so that one page does not cost the others."""
        number = len(self.found) + 1
        while number <= (self.total or _GIVE_UP_AFTER):
            try:
                self._keep(library(**self._settings, target_pages=str(number)).parse(self._pdf), self.total)
            except failure as exc:
                self.found[number] = Page(error=_clause(exc))
            if self.total:
                self._report()
            number += 1
        if not self.total:
            raise ParseError(f"the PDF could not be read: {self.found[1].error}")

    def _report(self) -> None:
        self._progress(list(self.found.values()), self.total)

    def _keep(self, result: ParseResult, total: int) -> None:
        self.total = total or result.total_pages
        pictures = pictures_by_page(result.images)
        self.found.update((page.page_num, page_of(page, pictures.get(page.page_num, ()))) for page in result.pages)
        self.found.update((error.page_num, Page(error=_clause(error.message))) for error in result.page_errors)


def library(**settings: Any) -> LiteParse:
    """The library with our settings; *settings* say at least whether there is OCR."""
    from liteparse import LiteParse

    return LiteParse(
        output_format="markdown",
        image_mode="off",
        quiet=True,
        continue_on_page_error=True,
        extract_blocks=True,
        **{"emit_word_boxes": False, **settings},
    )


def page_of(page: ParsedPage, pictures: tuple[Picture, ...]) -> Page:
    """The library's page as our record."""
    text = page.text or ""
    return Page(read_layout(page), text, pictures=pictures, is_scan=len(text.split(maxsplit=_A_STAMP)) < _A_STAMP)


def _has_image(page: ParsedPage) -> bool:
    signs = page.complexity
    # A scan that fills the page counts as no image block: only the flag tells it from a blank page.
    return signs is not None and (signs.full_page_image or bool(_IMAGE_REASONS & set(signs.reasons)))


def _is_scan(page: ParsedPage, text: str, *, has_image: bool) -> bool:
    """Whether OCR may tell more than the page itself: all its text is in an image, but for a stamp or two."""
    signs = page.complexity
    if not text.strip():
        return has_image or (signs is not None and signs.needs_ocr)
    return signs is not None and signs.full_page_image and len(text.split()) < _A_STAMP


def _is_right_to_left(page: Page) -> bool:
    return bool(SCRIPT.search(page.text)) and mostly(page.text)


def _known(message: object) -> Iterable[str]:
    return (sentence for sign, sentence in _REASONS if sign in str(message))


def _clause(message: object) -> str:
    """What went wrong, in our words: the library's may hold paths."""
    return next(iter(_known(message)), "the library could not read it")


def _refuse_if_hopeless(error: Exception) -> None:
    if sentence := next(iter(_known(error)), None):
        raise ParseError(sentence) from error
