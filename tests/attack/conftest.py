"""Shared by the attacks: how often each of them is repeated."""

import pytest


@pytest.fixture(scope="session")
def rounds(request: pytest.FixtureRequest) -> int:
    """How many times as much as usual an attack does: ``pytest tests/attack --attack-rounds 20``."""
    return int(request.config.getoption("--attack-rounds"))
