"""Shared by all tests."""

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """``--attack-rounds N`` makes the attacks N times as long."""
    parser.addoption("--attack-rounds", type=int, default=1, metavar="N", help="how long tests/attack goes on")


@pytest.fixture
def anyio_backend() -> str:
    """The server runs on asyncio."""
    return "asyncio"
