"""Who may reach the server over HTTP, as the settings say."""

from __future__ import annotations

import logging
from typing import Any

from prioris_mcp.errors import ConfigurationError
from prioris_mcp.server.http.limits import Patience
from prioris_mcp.server.http.serving import Address
from prioris_mcp.settings import Settings

_log = logging.getLogger(__name__)


def verifier_of(settings: Settings) -> Any:
    """What checks bearer tokens, or None where none are wanted.

    ConfigurationError for tokens that cannot be read, and where other machines could reach a server without any.
    """
    if not settings.authenticates:
        if settings.is_exposed and not settings.allow_unauthenticated:
            raise ConfigurationError(
                f"PRIORIS_MCP_HOST={settings.host!r} lets other machines reach the server, and no token is asked for:"
                " set PRIORIS_MCP_AUTH_TOKENS_FILE or PRIORIS_MCP_AUTH_TOKENS, or"
                " PRIORIS_MCP_ALLOW_UNAUTHENTICATED=true where something else keeps strangers out"
            )
        if settings.is_exposed:
            _log.warning("whoever reaches %s may read, write and delete: no token is asked for", settings.host)
        return None
    from prioris_mcp.server.http.authentication import Jwt, verifier
    from prioris_mcp.wiring.tokens import tokens_of

    issuer, audience, keys = settings.auth_jwt_issuer, settings.auth_jwt_audience, settings.auth_jwt_jwks_uri
    jwt = Jwt(issuer, audience, keys, settings.auth_jwt_require_expiry) if issuer and audience and keys else None
    return verifier(tokens_of(settings), jwt)


def address_of(settings: Settings) -> Address:
    """Where to listen, and for whom."""
    return Address(
        settings.host,
        settings.port,
        settings.asgi_cors_allowed_origins,
        settings.allowed_hosts,
        settings.local_file_max_size_bytes,
        Patience(
            settings.http_connections,
            settings.http_connections_per_client,
            settings.http_head_seconds,
            settings.http_body_seconds,
            settings.http_idle_seconds,
        ),
        settings.http_session_idle_seconds,
        settings.token_sessions,
    )
