"""A stand-in, and a client that goes through it."""

from __future__ import annotations

from collections.abc import AsyncIterator

import httpx2
import pytest

from tests.replay import StandIn
from tests.unit.replay.asking import client_of

pytestmark = pytest.mark.anyio


@pytest.fixture
async def standin() -> AsyncIterator[StandIn]:
    """A stand-in in the loop of the test."""
    async with StandIn() as standin:
        yield standin


@pytest.fixture
async def client(standin: StandIn) -> AsyncIterator[httpx2.AsyncClient]:
    """A client that goes through the stand-in."""
    async with client_of(standin) as client:
        yield client
