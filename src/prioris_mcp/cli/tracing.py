"""OpenTelemetry: FastMCP makes a span of every request; here they get somewhere to go, if that is wanted.

Nothing is imported and nothing sent unless ``OTEL_TRACES_EXPORTER`` names an exporter and the SDK is installed. All
else is set by OpenTelemetry's own variables.
"""

from __future__ import annotations

import asyncio
import logging
import sys
import threading
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from importlib.metadata import entry_points
from typing import Any

from prioris_mcp import __version__

_log = logging.getLogger(__name__)
_KINDS = {"otlp": ("otlp_proto_http", "otlp_proto_grpc")}
_PATIENCE = 0.8
"""Seconds that the last spans get: a collector that does not answer must not hold up the end."""


@asynccontextmanager
async def tracing(exporters: Sequence[str], hide: Callable[[str], str]) -> AsyncGenerator[None]:
    """Spans go to *exporters* for as long as the block lasts; at its end the last ones are sent.

    *hide* takes out of their texts what nobody may see.
    """
    provider = _provider(exporters, hide) if exporters else None
    try:
        yield
    finally:
        if provider is not None:
            last = threading.Thread(target=provider.shutdown, daemon=True)
            last.start()
            await asyncio.to_thread(last.join, _PATIENCE)


def _provider(exporters: Sequence[str], hide: Callable[[str], str]) -> Any:
    """The SDK's provider, in force; None where somebody has set one, or nothing can be set."""
    from opentelemetry import trace

    try:
        from opentelemetry.sdk.resources import OTELResourceDetector, Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
    except ImportError:
        _log.warning("OTEL_TRACES_EXPORTER is set, but opentelemetry-sdk is not installed: no spans are sent")
        return None
    if not isinstance(trace.get_tracer_provider(), trace.ProxyTracerProvider):
        return None
    ours = Resource.create({"service.name": "prioris-mcp", "service.version": __version__})
    provider = TracerProvider(resource=ours.merge(OTELResourceDetector().detect()), shutdown_on_exit=False)
    for name in exporters:
        exporter = _exporter(name)
        if exporter is not None:
            provider.add_span_processor(BatchSpanProcessor(_Hiding(exporter, hide)))  # type: ignore[arg-type]
    trace.set_tracer_provider(provider)
    return provider


class _Hiding:
    """An exporter that is given every span with its texts hidden, those of exceptions too."""

    def __init__(self, exporter: Any, hide: Callable[[str], str]) -> None:
        self._exporter, self._hide = exporter, hide

    def export(self, spans: Sequence[Any]) -> Any:
        return self._exporter.export([self._span(span) for span in spans])

    def shutdown(self) -> None:
        self._exporter.shutdown()

    def force_flush(self, timeout_millis: int = 30000) -> Any:
        return self._exporter.force_flush(timeout_millis)

    def _span(self, span: Any) -> Any:
        from opentelemetry.sdk.trace import Event, ReadableSpan
        from opentelemetry.trace import Status

        said = span.status.description
        return ReadableSpan(
            self._hide(span.name),
            context=span.context,
            parent=span.parent,
            resource=span.resource,
            attributes=self._attributes(span.attributes),
            events=[
                Event(self._hide(event.name), self._attributes(event.attributes), event.timestamp)
                for event in span.events
            ],
            links=span.links,
            kind=span.kind,
            status=Status(span.status.status_code, self._hide(said) if said else None),
            start_time=span.start_time,
            end_time=span.end_time,
            instrumentation_scope=span.instrumentation_scope,
        )

    def _attributes(self, attributes: Mapping[str, Any] | None) -> dict[str, Any]:
        return {name: self._shown(value) for name, value in (attributes or {}).items()}

    def _shown(self, value: Any) -> Any:
        if isinstance(value, str):
            return self._hide(value)
        return [self._shown(item) for item in value] if isinstance(value, tuple | list) else value


def _exporter(name: str) -> Any:
    """The exporter installed under *name*. The console is standard error: standard output is the protocol's."""
    if name == "console":
        from opentelemetry.sdk.trace.export import ConsoleSpanExporter

        return ConsoleSpanExporter(out=sys.stderr)
    for kind in (*_KINDS.get(name, ()), name):
        for found in entry_points(group="opentelemetry_traces_exporter", name=kind):
            return found.load()()
    _log.warning("no exporter of spans called %r is installed: none are sent to it", name)
    return None
