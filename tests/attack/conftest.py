"""Shared by the attacks: how often each of them is repeated."""

import sys

import pytest

from tests.e2e.conftest import env, home, launch, standin, upstream

collect_ignore_glob = ["test_*.py"] if sys.platform == "win32" else []
"""They count descriptors, stop processes by signals and plant links, as only POSIX has them."""
__all__ = ["env", "home", "launch", "standin", "upstream"]


@pytest.fixture(scope="session")
def rounds(request: pytest.FixtureRequest) -> int:
    """How many times as much as usual an attack does: ``pytest tests/attack --attack-rounds 20``."""
    return int(request.config.getoption("--attack-rounds"))
