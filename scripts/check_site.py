"""Whether the built site is whole: every link of it leads somewhere, and no page fetches anything from elsewhere.

python -m scripts.check_site site
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

_FETCHED = {"script": "src", "img": "src", "iframe": "src", "source": "src", "link": "href", "object": "data"}
_NOT_FETCHED = {"canonical", "next", "prev", "alternate"}
_MADE_ELSEWHERE = {"mermaid", "glightbox"}
"""Classes for which the theme's script would fetch a library from a public host."""


@dataclass
class _Page(HTMLParser):
    """What one page names: its own anchors, where it links to, what it fetches."""

    anchors: set[str] = field(default_factory=lambda: {""})
    links: list[str] = field(default_factory=list)
    fetched: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.anchors |= {given[name] for name in ("id", "name") if name in given}
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        elif tag in _FETCHED and _FETCHED[tag] in given and given.get("rel") not in _NOT_FETCHED:
            self.fetched.append(given[_FETCHED[tag]])
        self.fetched += [f"library:{name}" for name in _MADE_ELSEWHERE & set(given.get("class", "").split())]


def main() -> int:
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "site").resolve()
    pages = {path: _read(path) for path in sorted(folder.rglob("*.html"))}
    found = [*_faults(folder, pages)]
    print("\n".join(found) or f"{len(pages)} pages: every link leads somewhere, and nothing is fetched from elsewhere")
    return int(bool(found) or not pages)


def _read(path: Path) -> _Page:
    page = _Page()
    page.feed(path.read_text("utf-8"))
    return page


def _faults(folder: Path, pages: Mapping[Path, _Page]) -> Iterator[str]:
    for path, page in pages.items():
        shown = path.relative_to(folder)
        for target in page.fetched:
            if ":" in target.partition("/")[0] or target.startswith("//"):
                yield f"{shown} fetches {target}"
        # The page for "not found" is shown at any depth, so its links start at the root.
        here = folder if path.name == "404.html" else path.parent
        for link in (*page.links, *page.fetched):
            if not urlsplit(link).scheme and not link.startswith("//") and not _leads(folder, here, path, link, pages):
                yield f"{shown} links to {link}, which is not there"


def _leads(folder: Path, here: Path, page: Path, link: str, pages: Mapping[Path, _Page]) -> bool:
    place, _, anchor = link.partition("#")
    place = unquote(place.partition("?")[0])
    target = (folder / place.lstrip("/") if place.startswith("/") else here / place).resolve() if place else page
    if target.is_dir():
        target /= "index.html"
    return target.is_file() and (target not in pages or unquote(anchor) in pages[target].anchors)


if __name__ == "__main__":
    sys.exit(main())
