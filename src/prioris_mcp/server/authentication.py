"""Who may call over HTTP: bearers of a known token, or of a JWT from a trusted issuer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from fastmcp.server.auth import AccessToken, TokenVerifier
from fastmcp.server.auth.providers.jwt import JWTVerifier

from prioris_mcp.domain.tokens import Tokens, owner


@dataclass(frozen=True, slots=True)
class Jwt:
    """Whose JSON Web Tokens are taken."""

    issuer: str
    audience: str
    jwks_uri: str


def verifier(tokens: Callable[[], Tokens] | None, jwt: Jwt | None) -> TokenVerifier | None:
    """What checks bearer tokens; None where there is nothing to check them against."""
    found: list[TokenVerifier] = []
    if tokens is not None:
        found.append(NamedTokens(tokens))
    if jwt is not None:
        found.append(JWTVerifier(jwks_uri=jwt.jwks_uri, issuer=jwt.issuer, audience=jwt.audience))
    return AnyOf(found) if found else None


class NamedTokens(TokenVerifier):
    """Takes tokens that are known by a name at the moment; the name is the client."""

    def __init__(self, tokens: Callable[[], Tokens]) -> None:
        super().__init__()
        self._tokens = tokens

    async def verify_token(self, token: str) -> AccessToken | None:
        name = owner(token, self._tokens())
        return None if name is None else AccessToken(token=token, client_id=name, scopes=[])


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
