"""What a stranger's answers look like that repeat a secret, and a reader who would recognise it in any of them."""

from __future__ import annotations

import base64
import html
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product
from typing import Any
from urllib.parse import quote, quote_plus, unquote_plus

KEY = 'K7/planted+key="ß&secret9'
STATUSES = (400, 401, 403, 404, 409, 422, 429, 500, 503)
_RUN = re.compile(r"[A-Za-z0-9+/_=-]{8,}")
_ESCAPE = re.compile(r"\\u([0-9a-fA-F]{4})")

WAYS = {
    "raw": KEY,
    "percent": quote(KEY, safe=""),
    "percent, small": re.sub("%..", lambda found: found[0].lower(), quote(KEY, safe="")),
    "percent, in part": KEY.replace("/", "%2f").replace("s", "%73"),
    "percent, twice": quote(quote(KEY, safe=""), safe=""),
    "form": quote_plus(KEY),
    "escaped": "".join(f"\\u{ord(char):04x}" for char in KEY),
    "page": html.escape(KEY),
    "page, by number": "".join(f"&#{ord(char)};" for char in KEY),
    "base64": base64.b64encode(KEY.encode()).decode(),
    "header": "Basic " + base64.urlsafe_b64encode(f"user:{KEY}:x".encode()).decode(),
    "hexadecimal": KEY.encode().hex(),
    "cut": KEY[:12],
}


def _bodies(said: str) -> dict[str, str]:
    """Refusals of all sorts that say *said*."""
    whole = f"Invalid request: GET /works?search.semantic=x&api_key={said} is not allowed"
    return {
        "error": json.dumps({"error": whole}),
        "message": json.dumps({"message": whole}).replace("/", "\\/"),
        "both": json.dumps({"error": whole, "message": f"no key {said}"}),
        "long": json.dumps({"error": "x" * 180 + whole, "message": "y" * 1980 + said}),
        "detail": json.dumps({"detail": [{"input": said, "msg": whole}]}),
        "text": whole,
        "page": f"<html><title>{whole}</title></html>",
    }


def _places(said: str) -> tuple[str, ...]:
    """Where a redirect may lead that repeats the request."""
    return (
        f"https://elsewhere.example/works?api_key={said}",
        f"https://elsewhere.example/{said}/works#{said}",
        f"https://user:{said}@elsewhere.example/works",
        f"//elsewhere.example/works?a=1&api_key={said}",
        f"https://elsewhere.example/works%3Fapi_key%3D{said}",
        f"javascript:{said}",
    )


@dataclass(frozen=True)
class Refusal:
    """One fault of the simulated OpenAlex."""

    kind: str
    name: str
    arguments: dict[str, Any] = field(default_factory=dict)


def refusals() -> Iterator[Refusal]:
    """Every status with every body and every way of writing; redirects; bodies of a success that is none."""
    for status, (way, said) in product(STATUSES, WAYS.items()):
        for form, body in _bodies(said).items():
            yield Refusal("status", f"{status} {form} {way}", {"status": status, "body": body})
    for way in ("raw", "percent", "percent, twice", "base64", "hexadecimal", "cut"):
        said = quote(WAYS[way], safe='%/+="&:') if way == "raw" else WAYS[way]
        for place in _places(said):
            yield Refusal("redirect", f"redirect {way}", {"location": place})
    for way, said in WAYS.items():
        yield Refusal("body", f"200 {way}", {"body": json.dumps({"error": said, "results": None})})


def shows(text: str, secret: str = KEY) -> bool:
    """Whether somebody who undoes usual encodings reads *secret*, or the first half of it, in *text*."""
    wanted = secret[: len(secret) // 2].lower()
    layers = [text]
    for _ in range(4):
        layers.append(_ESCAPE.sub(lambda found: chr(int(found[1], 16)), html.unescape(layers[-1])).replace("\\/", "/"))
        layers.append(unquote_plus(layers[-1].replace("+", "%2B")))
    packed = [decoded for layer in layers for run in _RUN.findall(layer) for decoded in _unpacked(run)]
    return any(wanted in reading.lower() for reading in [*layers, *packed])


def _unpacked(run: str) -> Iterator[str]:
    """What a run of letters may stand for, wherever its base64 begins."""
    plain = run.replace("-", "+").replace("_", "/").replace("=", "")
    for skipped in range(4):
        piece = plain[skipped:]
        piece += "=" * (-len(piece) % 4)
        try:
            yield base64.b64decode(piece).decode("utf-8", "replace")
        except ValueError:
            continue
    try:
        yield bytes.fromhex(run).decode("utf-8", "replace")
    except ValueError:
        return
