"""JSON Web Tokens: which are taken, and whose limits they use."""

from __future__ import annotations

import base64
import json
import math
import time
from typing import Any, cast

import pytest
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding, rsa
from fastmcp.server.auth.providers.jwt import RSAKeyPair

from prioris_mcp.server.http.authentication import LEEWAY, LONGEST_LIFE, CurrentTokens
from prioris_mcp.server.http.callers import key_of

ISSUER, AUDIENCE = "https://issuer.example", "papers"
DAY = 86400
PAIR = RSAKeyPair.generate()
SIGNER = cast(rsa.RSAPrivateKey, serialization.load_pem_private_key(PAIR.private_key.get_secret_value().encode(), None))
HEAD = b'{"alg":"RS256","typ":"JWT"}'
DEEP = b"[" * 50_000 + b"]" * 50_000


def verifier(**more: Any) -> CurrentTokens:
    return CurrentTokens(public_key=PAIR.public_key, issuer=ISSUER, audience=AUDIENCE, **more)


def token(claims: dict[str, Any] | bytes, head: bytes = HEAD) -> str:
    """Signed by the issuer, whatever it claims; a claim of None is left out."""
    if isinstance(claims, dict):
        usual = {"iss": ISSUER, "aud": AUDIENCE, "sub": "ada", "exp": int(time.time()) + DAY}
        claims = json.dumps({name: value for name, value in (usual | claims).items() if value is not None}).encode()
    signed = b".".join(base64.urlsafe_b64encode(part).rstrip(b"=") for part in (head, claims))
    signature = SIGNER.sign(signed, padding.PKCS1v15(), hashes.SHA256())
    return b".".join([signed, base64.urlsafe_b64encode(signature).rstrip(b"=")]).decode()


def ago(seconds: float) -> float:
    return time.time() - seconds


GOOD = [
    {},
    {"iat": ago(DAY), "nbf": ago(DAY)},
    {"iat": ago(-LEEWAY / 2), "nbf": ago(-LEEWAY / 2)},
    {"exp": ago(-LONGEST_LIFE) - DAY},
    {"exp": ago(-DAY)},
    {"sub": None, "client_id": "batch"},
]
BAD = [
    {"exp": None},
    {"exp": ago(1)},
    {"exp": 10**30},
    {"exp": 1e308},
    {"exp": math.inf},
    {"exp": math.nan},
    {"exp": ago(-LONGEST_LIFE - DAY)},
    {"exp": str(int(ago(-DAY)))},
    {"exp": True},
    {"exp": [ago(-DAY)]},
    {"exp": {}},
    {"exp": -1},
    {"exp": 10**400},
    {"iat": ago(-DAY)},
    {"iat": "now"},
    {"iat": math.nan},
    {"iat": 10**30},
    {"nbf": ago(-DAY)},
    {"nbf": [1]},
    {"nbf": math.inf},
    {"iss": "https://other.example"},
    {"aud": "other"},
    {"sub": ["ada"]},
]


@pytest.mark.anyio
@pytest.mark.parametrize("claims", GOOD)
async def test_tokens_that_are_valid_now_are_taken(claims: dict[str, Any]) -> None:
    """The clock of the issuer may be a little ahead."""
    assert await verifier().verify_token(token(claims))


@pytest.mark.anyio
@pytest.mark.parametrize("claims", BAD, ids=[f"{'-'.join(claims)}-{at}" for at, claims in enumerate(BAD)])
async def test_tokens_that_are_not_are_refused(claims: dict[str, Any]) -> None:
    """Without an end, with one that was not meant, from the future, or with a time that is no number."""
    assert await verifier().verify_token(token(claims)) is None


@pytest.mark.anyio
async def test_tokens_without_an_end_are_taken_where_that_is_wanted() -> None:
    """By a setting; one with an absurd end is not, for somebody has made a mistake."""
    assert await verifier(must_expire=False).verify_token(token({"exp": None}))
    assert await verifier(must_expire=False).verify_token(token({"exp": 10**30})) is None


@pytest.mark.anyio
@pytest.mark.parametrize(
    "shown",
    [
        token({}, b'{"alg":"RS256","x":' + DEEP + b"}"),
        token(b'{"exp":' + DEEP + b"}"),
        token({}, b'{"alg":"RS256","x":' + b"[" * 65 + b"]" * 65 + b"}"),
        token({}, b"\xff\xfe"),
        token(b"[]"),
        token(b"nonsense"),
        token({"x": "y" * 20_000}),
        "a.b",
        "...",
        "é.é.é",
        token({}) + ".x",
        token({})[:-9],
    ],
    ids=range(12),
)
async def test_tokens_that_no_decoder_should_see_are_refused(shown: str) -> None:
    """Nested deep, too long, cut off, or nothing of the kind; without a traceback."""
    assert await verifier().verify_token(shown) is None


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (("i", "ada", "client"), ("i", "ada", "another"), True),
        (("i", "ada", "client"), ("i", "bob", "client"), False),
        (("i", "ada", "client"), ("j", "ada", "client"), False),
        (("i", None, "ada"), ("i", "ada", "ada"), False),
        (("i", None, "ada"), (None, None, "ada"), False),
        ((None, None, "ada"), (None, None, "bob"), False),
    ],
)
def test_limits_are_those_of_a_subject(one: Any, other: Any, same: bool) -> None:
    """Whatever client its token was issued to; of the client only where no subject is named."""
    assert (key_of(*one) == key_of(*other)) is same
