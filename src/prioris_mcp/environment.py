"""What variables of other programs say that this one goes by: proxies, and OpenTelemetry's own."""

from __future__ import annotations

import os
from urllib.parse import urlsplit


def secrets_beside() -> list[str]:
    """What variables of others hold that we use: addresses of proxies with passwords, headers of OpenTelemetry's."""
    named = os.environ.items()
    proxies = [value for name, value in named if name.lower().endswith("_proxy") and "@" in value]
    headers = [value for name, value in named if name.startswith("OTEL_") and name.endswith("_HEADERS")]
    pairs = [pair.partition("=")[2].strip() for text in headers for pair in text.split(",")]
    return [*(value if "://" in value else f"http://{value}" for value in proxies), *pairs]


def span_exporters() -> list[str]:
    """Where OpenTelemetry's own variables want spans sent; usually nowhere."""
    disabled = (os.environ.get("OTEL_SDK_DISABLED") or "").strip().lower() == "true"
    named = "" if disabled else os.environ.get("OTEL_TRACES_EXPORTER") or ""
    return [name for item in named.split(",") if (name := item.strip()) not in ("", "none")]


def answers_come_from_here() -> bool:
    """Whether requests leave through a proxy on this machine."""
    proxy = os.environ.get("HTTPS_PROXY") or os.environ.get("https_proxy") or ""
    return urlsplit(proxy).hostname in ("127.0.0.1", "::1", "localhost")
