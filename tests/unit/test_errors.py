"""Every sentence with which something fails, wherever it stands in the code."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import prioris_mcp
from prioris_mcp import errors
from prioris_mcp.domain.pacing import again
from prioris_mcp.errors import PriorisError

ROOT = Path(prioris_mcp.__file__).parent
KINDS = {name for name, kind in vars(errors).items() if isinstance(kind, type) and issubclass(kind, PriorisError)}
CLASS = re.compile(r"\b[A-Z]\w*[a-z](?:Error|Exception|Timeout|Warning)\b|__name__|__class__|\btype\(")
REMEDY = re.compile(
    r";|\bmust\b|\b(?:call|use|try|check|give|write|set|send|say|install|add|get|read|name|see|finalize|change|narrow)\b"
)
PARTS_OF_A_SENTENCE = ("adapters/embedding/", "adapters/notefiles/", "adapters/parsers/")
"""Their sentences are ends or beginnings of others: of a document, of one file among many, of the state of a model."""


def sentences() -> Iterator[tuple[str, str]]:
    """Where each stands, and its code."""
    for path in sorted(ROOT.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in KINDS and node.args:
                parts = " ".join(map(ast.unparse, node.args))
                yield f"{path.relative_to(ROOT).as_posix()}:{node.lineno}", parts


ALL = dict(sentences())
LITERAL = {
    where: text
    for where, text in ALL.items()
    if text.startswith(("'", '"', "f'", 'f"')) and not text.startswith("f'{exc}")
}
"""Those that stand whole in their place, and add to no other."""


def test_there_are_many():
    """So that the tests below look at something."""
    assert len(ALL) > 150
    assert len(LITERAL) > 120


def test_no_sentence_names_a_class():
    """A researcher reads them: what happened is said in words."""
    assert {where: text for where, text in ALL.items() if CLASS.search(text)} == {}


def test_every_sentence_says_what_to_do():
    """Or what is allowed, which is the same."""
    whole = {where: text for where, text in LITERAL.items() if not where.startswith(PARTS_OF_A_SENTENCE)}
    assert {where: text for where, text in whole.items() if not REMEDY.search(text)} == {}


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(None, "try again later"), (0.0, "try again in 1 s"), (0.2, "try again in 1 s"), (6.4, "try again in 7 s")],
)
def test_when_to_try_again_is_a_time_or_none(seconds, words):
    """Never "in 0 s" or "in some s"."""
    assert again(seconds) == words
