"""The settings of the HTTP transport, a part of `Settings`."""

from __future__ import annotations

from ipaddress import ip_address
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, SecretStr, field_validator, model_validator
from pydantic_settings import BaseSettings, NoDecode

from prioris_mcp.settings.values import from_json, with_commas

_LOCAL = "localhost"


class HttpSettings(BaseSettings, defer_build=True):
    """Where the server listens, for whom, and how much each may ask."""

    host: str = Field("localhost", min_length=1, description="Address that the HTTP transport listens on.")
    port: int = Field(8000, ge=1024, le=49151, description="Port that the HTTP transport listens on.")
    allowed_hosts: Annotated[list[str], NoDecode] = Field(
        [], description="Host names by which clients may call the HTTP transport, besides localhost; with commas."
    )
    allow_unauthenticated: bool = Field(
        False, description="Let the HTTP transport listen on other than this machine's own address without tokens."
    )
    auth_tokens: SecretStr | None = Field(
        None, description="Bearer tokens for the HTTP transport: `name: token`, separated by commas."
    )
    auth_tokens_file: Path | None = Field(
        None, description="File with such tokens, one a line; it is read anew when it changes."
    )
    auth_jwt_issuer: str | None = Field(None, description="Issuer whose JWTs are taken; needs the two below.")
    auth_jwt_audience: str | None = Field(None, description="Audience that those JWTs must be for.")
    auth_jwt_jwks_uri: str | None = Field(
        None, pattern=r"^https?://", description="Where the keys are published that those JWTs are signed with."
    )
    auth_jwt_require_expiry: bool = Field(True, description="Refuse JWTs that have no end (`exp`).")
    token_calls_per_minute: int = Field(600, ge=0, description="Calls of one token in a minute; 0 for no limit.")
    token_upload_bytes_per_hour: int = Field(
        2**30, ge=0, description="Bytes that one token may upload in an hour; 0 for no limit."
    )
    http_connections: int = Field(
        512, ge=8, le=65536, description="Connections at once; fewer where the process may open fewer files."
    )
    http_connections_per_client: int = Field(
        256, ge=1, le=65536, description="Connections at once from one address; behind a proxy, that is all of them."
    )
    http_head_seconds: float = Field(10.0, gt=0, le=3600, description="Longest that the head of a request may take.")
    http_body_seconds: float = Field(
        30.0, gt=0, le=3600, description="Longest that its body may take, and that an answer may be left unread."
    )
    http_idle_seconds: float = Field(
        30.0, gt=0, le=3600, description="Longest that a connection is kept open between two requests."
    )
    http_session_idle_seconds: float = Field(
        3600.0, gt=0, le=604800, description="Seconds without a request or an open stream after which a session ends."
    )
    token_sessions: int = Field(
        64, ge=1, le=10000, description="Sessions of one token at once; one more ends the one that is missed least."
    )
    asgi_cors_allowed_origins: Annotated[list[str], NoDecode] = Field(
        ["http://localhost", "http://127.0.0.1"],
        description="Origins of web pages that may call the HTTP transport, as a JSON list.",
    )

    @field_validator("asgi_cors_allowed_origins", mode="before")
    @classmethod
    def _origins(cls, value: Any) -> Any:
        return from_json(value, "a list of strings")

    @field_validator("allowed_hosts", mode="before")
    @classmethod
    def _listed(cls, value: Any) -> Any:
        return with_commas(value)

    @model_validator(mode="after")
    def _whole_jwt(self) -> HttpSettings:
        given = [self.auth_jwt_issuer, self.auth_jwt_audience, self.auth_jwt_jwks_uri]
        if any(given) and not all(given):
            raise ValueError(
                "PRIORIS_MCP_AUTH_JWT_ISSUER, PRIORIS_MCP_AUTH_JWT_AUDIENCE and PRIORIS_MCP_AUTH_JWT_JWKS_URI need each"
                " other: give all three, or none"
            )
        return self

    @property
    def authenticates(self) -> bool:
        """Whether callers over HTTP must show a token."""
        return bool(self.auth_tokens or self.auth_tokens_file or self.auth_jwt_issuer)

    @property
    def is_exposed(self) -> bool:
        """Whether other machines can reach the HTTP transport."""
        if self.host.lower() == _LOCAL:
            return False
        try:
            return not ip_address(self.host.strip("[]")).is_loopback
        except ValueError:
            return True

    def shown_tokens(self) -> list[str]:
        """The tokens of the variable, which must never be shown."""
        text = self.auth_tokens.get_secret_value() if self.auth_tokens else ""
        return [token for entry in text.split(",") if (token := entry.partition(":")[2].strip())]
