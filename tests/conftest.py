"""Shared by all tests."""

# First of all: it sets the switches of libraries that would tell their vendors of being imported.
import prioris_mcp  # noqa: F401

# isort: split
import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "ci", max_examples=100, derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("nightly", settings.get_profile("ci"), max_examples=2_500, derandomize=False)
settings.load_profile("ci")  # `--hypothesis-profile nightly` for another


def pytest_addoption(parser: pytest.Parser) -> None:
    """``--attack-rounds N`` makes the attacks N times as long."""
    parser.addoption("--attack-rounds", type=int, default=1, metavar="N", help="how long tests/attack goes on")


LONGEST = ("e2e/test_relevance.py", "attack/", "e2e/test_semantic", "e2e/test_crash", "e2e/test_pacing")
"""Where the tests are that take minutes: begun first, so that none is left to one core at the end."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with what takes longest; the order is the same on every worker."""
    items.sort(key=lambda item: not any(name in item.nodeid for name in LONGEST))


@pytest.fixture
def anyio_backend() -> str:
    """The server runs on asyncio."""
    return "asyncio"
