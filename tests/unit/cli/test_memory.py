"""How freed memory goes back to the system."""

from __future__ import annotations

import ctypes
import os
import sys
from types import SimpleNamespace

import pytest

from prioris_mcp.cli import malloc


@pytest.fixture
def set_options(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, int]]:
    """What a C library is told, on a system that has the one that can be told."""
    told: list[tuple[int, int]] = []
    monkeypatch.setattr(ctypes, "CDLL", lambda _: SimpleNamespace(mallopt=lambda *option: told.append(option)))
    monkeypatch.setattr(sys, "platform", "linux")
    for name in [name for name in os.environ if name.startswith("MALLOC_")]:
        monkeypatch.delenv(name)
    return told


def test_the_c_library_is_told(set_options: list[tuple[int, int]]) -> None:
    """Few heaps, large texts outside of them, and little kept in reserve."""
    malloc.give_back()
    assert set_options == [(-8, 2), (-3, 262_144), (-1, 1_048_576)]


def test_what_somebody_has_set_stays(set_options: list[tuple[int, int]], monkeypatch: pytest.MonkeyPatch) -> None:
    """By an environment variable of the C library's own."""
    monkeypatch.setenv("MALLOC_ARENA_MAX", "8")
    malloc.give_back()
    assert set_options == []


@pytest.mark.usefixtures("set_options")
def test_another_c_library_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """One without this function, as musl."""
    monkeypatch.setattr(ctypes, "CDLL", lambda _: SimpleNamespace())
    malloc.give_back()


def test_another_system_is_left_alone(set_options: list[tuple[int, int]], monkeypatch: pytest.MonkeyPatch) -> None:
    """Its C library is not even looked for."""
    monkeypatch.setattr(sys, "platform", "darwin")
    malloc.give_back()
    assert set_options == []
