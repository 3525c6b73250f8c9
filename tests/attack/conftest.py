"""Shared by the attacks: how often each of them is repeated."""

import pytest

from tests.e2e.conftest import env, home, launch, standin, upstream

__all__ = ["env", "home", "launch", "standin", "upstream"]


@pytest.fixture(scope="session")
def rounds(request: pytest.FixtureRequest) -> int:
    """How many times as much as usual an attack does: ``pytest tests/attack --attack-rounds 20``."""
    return int(request.config.getoption("--attack-rounds"))
