"""The stand-in for code that is not asynchronous."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from typing import Any

from tests.replay.standin import StandIn


async def _serve(standin: StandIn, ready: Future[asyncio.Event]) -> None:
    stop = asyncio.Event()
    try:
        async with standin:
            ready.set_result(stop)
            await stop.wait()
    except BaseException as failure:
        if ready.done():
            raise
        ready.set_exception(failure)


@contextmanager
def running(**options: Any) -> Iterator[StandIn]:
    """Run a `StandIn` in a thread with its own event loop; all its methods may be called from here.

    Takes the arguments of `StandIn`.
    """
    standin = StandIn(**options)
    ready: Future[asyncio.Event] = Future()
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_until_complete, args=(_serve(standin, ready),), daemon=True)
    thread.start()
    try:
        stop = ready.result(10)
        try:
            yield standin
        finally:
            loop.call_soon_threadsafe(stop.set)
    finally:
        thread.join(10)
        loop.close()
