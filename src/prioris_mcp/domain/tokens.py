"""Read bearer tokens, each under a name, and keep only their digests."""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Mapping

from prioris_mcp.errors import ConfigurationError

SHORTEST = 16
"""Fewest characters of a token; what is shorter can be guessed."""
_NAME = re.compile(r"[A-Za-z0-9_.@-]{1,64}")

Tokens = Mapping[str, bytes]
"""Map each name to the SHA-256 of its token."""


def parse(text: str, where: str) -> Tokens:
    """Return the tokens of *text*: ``name: token``, one a line or separated by commas; # begins a remark.

    Raise ConfigurationError that names *where* and the place, never a token.
    """
    found: dict[str, bytes] = {}
    lines = [line for line in text.splitlines() if not line.lstrip().startswith("#")]
    entries = [entry.strip() for line in lines for entry in line.split(",") if entry.strip()]
    for number, entry in enumerate(entries, 1):
        name, colon, token = (part.strip() for part in entry.partition(":"))
        if not colon or not _NAME.fullmatch(name) or name in found:
            raise ConfigurationError(f"{where}: entry {number} is not allowed: write name: token, each name once")
        if len(token) < SHORTEST:
            raise ConfigurationError(
                f"{where}: the token of {name} is shorter than {SHORTEST} characters; write a longer one"
            )
        found[name] = digest(token)
    return found


def digest(token: str) -> bytes:
    """Return what is kept of a token."""
    return hashlib.sha256(token.encode("utf-8", "replace")).digest()


def owner(token: str, tokens: Tokens) -> str | None:
    """Return whose *token* it is; None for nobody's. Take as long for every token, right or wrong."""
    shown, found = digest(token), None
    for name, known in tokens.items():
        if hmac.compare_digest(shown, known):
            found = name
    return found
