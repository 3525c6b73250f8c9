"""What reaches standard error."""

from __future__ import annotations

import io
import logging
import sys

import pytest

from prioris_mcp import log


@pytest.fixture
def logged(monkeypatch):
    """A function that logs one record and returns what was written, in a narrow encoding."""
    root = logging.getLogger()
    before = root.handlers[:], root.level
    raw = io.BytesIO()

    def write(message: str, *arguments: object, **more: object) -> str:
        monkeypatch.setattr(sys, "stderr", io.TextIOWrapper(raw, "cp1252", write_through=True))
        log.configure(logging.DEBUG, ["k-secret"])
        logging.getLogger("prioris_mcp.test").warning(message, *arguments, **more)
        return raw.getvalue().decode("cp1252")

    yield write
    root.handlers[:], root.level = before


@pytest.mark.parametrize("text", ["[/red]", "≥ ✓ é 注", "\ud800", "a\x00b\x1b[31m", "%s %d"])
def test_any_text_can_be_logged(logged, text):
    """Markup, any alphabet, lone surrogates and control characters make one plain line and no exception."""
    written = logged("id %r and %s", text, text)
    assert written.count("\n") == 1
    assert "\x1b" not in written
    assert "Logging error" not in written


def test_a_line_break_does_not_forge_a_record(logged):
    """One record is one line."""
    assert logged("a\n2026 ERROR forged").count("\n") == 1


def test_secrets_are_blacked_out(logged):
    """In the message and in the traceback alike."""
    written = logged("failed with %s", "k-secret", exc_info=ValueError("GET /works?api_key=k-secret"))
    assert "k-secret" not in written
    assert "ValueError: GET /works?api_key=***" in written
