"""Who calls over HTTP, by the token that was shown."""

from __future__ import annotations

import json
from dataclasses import dataclass

from fastmcp.server.dependencies import get_access_token


@dataclass(frozen=True, slots=True)
class Caller:
    """Whom limits are counted for and to whom uploads belong."""

    key: str
    """The same for every token of one subject, and for no other."""
    name: str
    """For sentences."""


def caller() -> Caller | None:
    """Who calls: the subject of a JWT, else its client, else the name of a token; None where nobody shows one."""
    token = get_access_token()
    if token is None:
        return None
    key = key_of((token.claims or {}).get("iss"), token.subject, token.client_id)
    return Caller(key, token.subject or token.client_id)


def key_of(issuer: str | None, subject: str | None, client: str) -> str:
    """One name for all tokens of a subject, whatever client they were issued to; of a client where there is none."""
    return json.dumps([issuer, subject] if subject else [issuer, None, client])


def owner() -> str:
    """To whom what this call opens belongs; "" where callers are not told apart."""
    who = caller()
    return who.key if who else ""
