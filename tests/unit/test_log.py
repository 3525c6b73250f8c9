"""What reaches standard error."""

from __future__ import annotations

import io
import json
import logging
import sys
from datetime import datetime, timedelta

import pytest

from prioris_mcp import log


@pytest.fixture
def logged(monkeypatch):
    """A function that logs one record and returns what was written, in a narrow encoding."""
    root = logging.getLogger()
    before = root.handlers[:], root.level
    raw = io.BytesIO()

    def write(message: str, *arguments: object, as_json: bool = False, **more: object) -> str:
        monkeypatch.setattr(sys, "stderr", io.TextIOWrapper(raw, "cp1252", write_through=True))
        log.configure(logging.DEBUG, ["k-secret", 'k"quoted'], as_json=as_json)
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


@pytest.mark.parametrize("text", ["[/red]", "≥ ✓ é 注", "\ud800", "a\x00b\x1b[31m\x7f\x9b", "one\ntwo"])
def test_as_json_any_text_comes_back(logged, text):
    """One line of plain characters, from which the text is read again."""
    written = logged("%s", text, as_json=True)
    assert (written.count("\n"), written.rstrip("\n").isprintable()) == (1, True)
    found = json.loads(written)
    assert (found["message"], found["level"], found["logger"]) == (text, "WARNING", "prioris_mcp.test")
    assert datetime.fromisoformat(found["time"]).utcoffset() == timedelta()


def test_as_json_secrets_are_blacked_out(logged):
    """Also one that JSON would write otherwise, in a field, and in the traceback."""
    written = logged('k"quoted', as_json=True, exc_info=ValueError("k-secret"), extra={"fields": {"tool": "k-secret"}})
    found = json.loads(written)
    assert (found["message"], found["tool"]) == ("***", "***")
    assert "ValueError: ***" in found["exception"]
