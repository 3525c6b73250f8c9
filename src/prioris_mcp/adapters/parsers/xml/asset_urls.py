"""Resolve the addresses of pictures and files that a document names: relative ones lead nowhere from a stored copy."""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import urljoin

from prioris_mcp.adapters.parsers.xml.elements import HREFS, Element, find

_ABSOLUTE = re.compile(r"[a-zA-Z][\w+.-]*:|//|#")
_SHOWN = re.compile(r"\.(?:jpe?g|png|gif|svg|webp)$", re.IGNORECASE)
_PRINTED = re.compile(r"\.(?:tiff?|eps)$", re.IGNORECASE)
"""Formats for printers, of which sources show a JPEG."""
_FILES = ("media", "supplementary-material", "inline-supplementary-material")


def resolve_in_html(page: Element, base: str) -> None:
    """Give the pictures of an HTML page their full addresses below *base*; nothing to do without one."""
    for image in page.iter("img") if base else ():
        image.set("src", _below(base, image.get("src") or ""))


def resolve_in_jats(article: Element, base: str) -> None:
    """Give the pictures and files of a JATS article their full addresses, pictures in the format that is shown."""
    if not base:
        return
    for picture in find(article, "graphic", "inline-graphic"):
        _readdress(picture, base, _as_shown)
    for file in find(article, *_FILES):
        _readdress(file, base, str)


def _readdress(node: Element, base: str, spelled: Callable[[str], str]) -> None:
    for name in HREFS:
        if (target := (node.get(name) or "").strip()) and not _ABSOLUTE.match(target):
            node.set(name, _below(base, spelled(target)))


def _as_shown(name: str) -> str:
    return name if _SHOWN.search(name) else f"{_PRINTED.sub('', name)}.jpg"


def _below(base: str, name: str) -> str:
    """Return *name* below *base*; some pages name the folder that they are in themselves."""
    if not name or _ABSOLUTE.match(name):
        return name
    folder = base.rstrip("/").rsplit("/", 1)[-1]
    return urljoin(base, name.removeprefix(f"{folder}/"))
