"""Who may call over HTTP: bearers of a known token, or of a JWT from a trusted issuer."""

from __future__ import annotations

import base64
import json
import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fastmcp.server.auth import AccessToken, TokenVerifier
from fastmcp.server.auth.providers.jwt import JWTVerifier

from prioris_mcp.domain.tokens import Tokens, owner
from prioris_mcp.server.messages import too_deep

LEEWAY = 30.0
"""Seconds by which the clock of an issuer may be ahead of ours."""
LONGEST_LIFE = 10 * 366 * 86400.0
"""Seconds; what expires later than that was not meant to expire."""
_LARGEST_TOKEN = 16384


@dataclass(frozen=True, slots=True)
class Jwt:
    """Whose JSON Web Tokens are taken."""

    issuer: str
    audience: str
    jwks_uri: str
    must_expire: bool = True
    """Whether a token without an end is refused."""


def verifier(tokens: Callable[[], Tokens] | None, jwt: Jwt | None) -> TokenVerifier | None:
    """What checks bearer tokens; None where there is nothing to check them against."""
    found: list[TokenVerifier] = []
    if tokens is not None:
        found.append(NamedTokens(tokens))
    if jwt is not None:
        more: dict[str, Any] = {"jwks_uri": jwt.jwks_uri, "issuer": jwt.issuer, "audience": jwt.audience}
        found.append(CurrentTokens(must_expire=jwt.must_expire, **more))
    return AnyOf(found) if found else None


class NamedTokens(TokenVerifier):
    """Takes tokens that are known by a name at the moment; the name is the client."""

    def __init__(self, tokens: Callable[[], Tokens]) -> None:
        super().__init__()
        self._tokens = tokens

    async def verify_token(self, token: str) -> AccessToken | None:
        name = owner(token, self._tokens())
        return None if name is None else AccessToken(token=token, client_id=name, scopes=[])


class CurrentTokens(JWTVerifier):
    """JSON Web Tokens that are valid now and will end, and that no decoder can stumble over."""

    def __init__(self, *, must_expire: bool = True, clock: Callable[[], float] = time.time, **more: Any) -> None:
        """*more* as FastMCP takes it."""
        super().__init__(**more)
        self._must_expire, self._clock = must_expire, clock

    async def load_access_token(self, token: str) -> AccessToken | None:
        claims = _claims(token)
        if claims is None or not self._is_current(claims):
            return None
        try:
            return await super().load_access_token(token)
        except (RecursionError, OverflowError):  # of the published keys, or of a claim that we do not know
            return None

    def _is_current(self, claims: Mapping[str, Any]) -> bool:
        now = self._clock()
        if claims.get("exp") is None and self._must_expire:
            return False
        return (
            _within(claims.get("exp"), now, now + LONGEST_LIFE)
            and _within(claims.get("iat"), -math.inf, now + LEEWAY)
            and _within(claims.get("nbf"), -math.inf, now + LEEWAY)
        )


def _claims(token: str) -> dict[str, Any] | None:
    """What *token* claims, not yet believed; None where its head or its claims are nothing to decode."""
    parts = token.split(".")
    if len(token) > _LARGEST_TOKEN or len(parts) != 3:
        return None
    try:
        head, claims = (base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)) for part in parts[:2])
        found = None if too_deep(head) or too_deep(claims) else json.loads(claims)
    except ValueError:
        return None
    return found if isinstance(found, dict) else None


def _within(value: Any, least: float, most: float) -> bool:
    """Whether a time is a number in these bounds; one that is not given is."""
    if value is None:
        return True
    return isinstance(value, int | float) and not isinstance(value, bool) and least <= value <= most


class AnyOf(TokenVerifier):
    """Takes what the first of several takes that takes it."""

    def __init__(self, verifiers: Sequence[TokenVerifier]) -> None:
        super().__init__()
        self._verifiers = verifiers

    async def verify_token(self, token: str) -> AccessToken | None:
        for each in self._verifiers:
            if found := await each.verify_token(token):
                return found
        return None
