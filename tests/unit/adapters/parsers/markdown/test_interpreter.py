"""The collector of cycles rests during a parse, and only then."""

from __future__ import annotations

import gc

import pytest

from prioris_mcp.adapters.parsers.markdown.interpreter import gc_paused


def failing() -> None:
    """A parse that fails."""
    with gc_paused():
        assert not gc.isenabled()
        raise ZeroDivisionError


def test_the_collector_works_again_afterwards() -> None:
    """Also when the parse fails; one that was switched off before stays so."""
    with pytest.raises(ZeroDivisionError):
        failing()
    assert gc.isenabled()
    gc.disable()
    try:
        with gc_paused():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()
