"""The border that secrets do not cross: every text that leaves is searched for them, however they are written.

Errors of tools, resources and prompts, sentences of the command line, log lines, spans and what sources say in their
refusals go through a `Redactor`; nothing else in the program looks for secrets.
"""

from __future__ import annotations

import base64
import re
import string
from collections.abc import Generator, Iterable, Sequence
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

MARK = "***"
ANYWHERE = 8
"""Characters from which a secret is found anywhere in a text, or cut off after so many."""
ALONE = 4
"""Characters from which a shorter one is found where it stands alone; below, only where it is the value of a name."""
_LAYERS = 6
"""Encodings in each other that are read: JSON in a percent-encoded address in HTML has three."""
_WRITTEN = re.compile(
    r"(?:%[0-9A-Fa-f]{2})+|\\[uU][0-9A-Fa-f]{4}|\\[xX][0-9A-Fa-f]{2}|\\[^%&]|&(?:#\d{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z]{2,8});",
    re.DOTALL,
)
_FOLDED = str.maketrans(string.ascii_uppercase + "+", string.ascii_lowercase + " ")
_CONTROLS = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]")
_ADDRESS = re.compile(r"\b((?:https?|wss?|ftp|socks\d?h?)://)([^\s\"'<>\\^`{|}]*)", re.IGNORECASE)
_AFTER_ADDRESS = re.compile(r"[).,;:!\]]*\Z")
_HIDDEN_PARTS = re.compile(r"[?#].*", re.DOTALL)
_USER = re.compile(r"^((?:[A-Za-z][A-Za-z0-9+.-]*:)?//)[^/?#]*@")


@dataclass(frozen=True, slots=True)
class _Reading:
    """A text with some of its encodings undone; each character knows where in the source it stands."""

    text: str
    starts: Sequence[int]
    ends: Sequence[int]


@dataclass(frozen=True, slots=True)
class _Needle:
    """What is looked for: all of *text*, or as much of it as there is from its first *least* characters on."""

    text: str
    least: int


class Redactor:
    """Hides *secrets* in texts: as they are, percent-encoded, escaped as in JSON or HTML, in base64 or hexadecimal."""

    def __init__(self, secrets: Iterable[str] = ()) -> None:
        """Of a secret with spaces each long word counts by itself too, as the token in ``Bearer TOKEN``.

        Of an address, password and values of the query do.
        """
        given = [secret.strip() for secret in secrets]
        given += [part for secret in given if "://" in secret for part in secrets_in(secret)]
        whole = {*given, *map(unquote, given)}
        long = sorted(secret for secret in whole if len(secret) >= ANYWHERE)
        words = sorted({word for secret in long for word in secret.split() if len(word) >= ANYWHERE})
        self._plain = [_needle(text) for text in dict.fromkeys([*long, *words])]
        self._plain += [_Needle(text.encode().hex(), 2 * ANYWHERE) for text in words]
        self._packed = [_Needle(text, ANYWHERE) for word in dict.fromkeys([*long, *words]) for text in _packed(word)]
        self._short = [_short(secret) for secret in sorted(whole) if 0 < len(secret) < ANYWHERE]

    def __call__(self, text: str) -> str:
        """*text* as it may be shown: without secrets, and with addresses bare of user, query and fragment."""
        return _ADDRESS.sub(_shown, self.hidden(text))

    def hidden(self, text: str) -> str:
        """*text* without secrets, and with all else as it was."""
        spans: list[tuple[int, int]] = []
        if self._plain or self._short:
            reading: _Reading | None = _Reading(text, range(len(text)), range(1, len(text) + 1))
            for _ in range(_LAYERS):
                if reading is None:
                    break
                spans += self._spans(reading)
                reading = _decoded(reading)
        return _blanked(text, spans) if spans else text

    def _spans(self, reading: _Reading) -> Generator[tuple[int, int]]:
        folded = reading.text.translate(_FOLDED)
        found = [span for needle in self._plain for span in _occurrences(needle, folded)]
        found += [match.span(1) for short in self._short for match in short.finditer(folded)]
        found += [
            _widened(span, reading.text) for needle in self._packed for span in _occurrences(needle, reading.text)
        ]
        for start, end in found:
            yield reading.starts[start], reading.ends[end - 1]


def bare(address: str) -> str:
    """*address*, absolute or relative, without user information, query and fragment."""
    return _USER.sub(r"\1", _HIDDEN_PARTS.sub("", address))


def secrets_in(address: str) -> list[str]:
    """What of *address* must not be shown: its password, and the values of its query."""
    try:
        parts = urlsplit(address)
        user = f"{parts.username}:{parts.password}" if parts.password else ""
    except ValueError:
        return [address]
    values = [pair.partition("=")[2] for pair in parts.query.split("&")]
    return [value for value in (user, parts.password, *values) if value]


def _shown(found: re.Match[str]) -> str:
    rest = found[2]
    after = _AFTER_ADDRESS.search(rest)
    tail = after[0] if after and ("?" in rest or "#" in rest) else ""
    return bare(found[1] + rest) + tail


def _needle(text: str) -> _Needle:
    folded = text.translate(_FOLDED)
    # Of an address, of several words, and of a user with a password the beginning is no secret.
    return _Needle(folded, len(folded) if ":" in text or len(text.split()) > 1 else ANYWHERE)


def _short(secret: str) -> re.Pattern[str]:
    text = re.escape(secret.translate(_FOLDED))
    return re.compile(rf"(?<!\w)({text})(?!\w)" if len(secret) >= ALONE else rf"[=:\"'`]\s*({text})(?!\w)")


def _packed(secret: str) -> set[str]:
    """What is sure to stand in the base64 of any text around *secret*, wherever in it that begins."""
    found = set()
    for shift in range(3):
        content = bytes(shift) + secret.encode()
        text = base64.b64encode(content).decode()[-(-shift * 8 // 6) : len(content) * 8 // 6]
        found |= {text, text.replace("+", "-").replace("/", "_")}
    return found


def _occurrences(needle: _Needle, text: str) -> Generator[tuple[int, int]]:
    head = needle.text[: needle.least]
    at = text.find(head)
    while at >= 0:
        end = at + len(head)
        while end < len(text) and end - at < len(needle.text) and text[end] == needle.text[end - at]:
            end += 1
        yield at, end
        at = text.find(head, end)


def _widened(span: tuple[int, int], text: str) -> tuple[int, int]:
    """*span* with the characters beside it that hold some bits of the secret as well."""
    start, end = span
    start -= bool(start and _BASE64.match(text, start - 1))
    end += bool(_BASE64.match(text, end))
    return start, end + len(text[end : end + 2]) - len(text[end : end + 2].lstrip("="))


def _decoded(reading: _Reading) -> _Reading | None:
    """One layer of encoding undone; None where there is none."""
    text, at = reading.text, 0
    parts: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    for found in _WRITTEN.finditer(text):
        parts.append(text[at : found.start()])
        starts += reading.starts[at : found.start()]
        ends += reading.ends[at : found.start()]
        for meaning, begin, end in _meanings(found):
            parts.append(meaning)
            starts += [reading.starts[begin]] * len(meaning)
            ends += [reading.ends[end - 1]] * len(meaning)
        at = found.end()
    if not at:
        return None
    rest = _Reading(text[at:], reading.starts[at:], reading.ends[at:])
    return _Reading("".join([*parts, rest.text]), [*starts, *rest.starts], [*ends, *rest.ends])


def _meanings(found: re.Match[str]) -> Generator[tuple[str, int, int]]:
    """What an encoded piece stands for, and where in the text each part of it is written."""
    piece, at = found[0], found.start()
    if piece[0] == "%":
        content = bytes.fromhex(piece.replace("%", ""))
        try:
            text, encoding = content.decode(), "utf-8"
        except UnicodeDecodeError:
            text, encoding = content.decode("latin-1"), "latin-1"
        for char in text:
            end = at + 3 * len(char.encode(encoding))
            yield char, at, end
            at = end
    elif piece[0] == "&":
        import html  # noqa: PLC0415 - few texts hold any

        yield html.unescape(piece), at, found.end()
    elif len(piece) > 2:
        yield bytes.fromhex(piece[2:].rjust(4, "0")).decode("utf-16-be", "replace"), at, found.end()
    else:
        yield _CONTROLS.get(piece[1], piece[1]), at, found.end()


def _blanked(text: str, spans: list[tuple[int, int]]) -> str:
    parts, at = [], 0
    for start, end in sorted(spans):
        if start >= at:
            parts += [text[at:start], MARK]
        at = max(at, end)
    return "".join([*parts, text[at:]])
