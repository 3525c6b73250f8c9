"""Queue the requests to each source: one in flight, starts well apart, refusals waited out within a budget.

The rules are in ``domain/pacing.py``; here they meet clocks, locks and cancellation.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from email.utils import parsedate_to_datetime

import anyio

from prioris_mcp.adapters.http.gateway import Answer
from prioris_mcp.adapters.owners import new_owner
from prioris_mcp.domain import pacing
from prioris_mcp.domain.pacing import Gate, Pace
from prioris_mcp.errors import RateLimitedError
from prioris_mcp.ports.coordination import Gates

_POLL_SECONDS = 0.1
_MOST_DIGITS = 9
"""Most digits of the seconds that a source asks to wait: thirty years."""
Send = Callable[[Callable[[], None]], Awaitable[Answer]]
"""Send one request, and call the argument when the request is on the wire."""


@dataclass(slots=True)
class _Patience:
    """Tell how long one call still waits: longer while it queues politely, at most the budget once refused."""

    started: float
    scope: anyio.CancelScope

    def shorten(self, budget: float) -> None:
        self.scope.deadline = min(self.scope.deadline, self.started + budget)


@dataclass(slots=True)
class _Turn:
    """Hold one passage through the gate."""

    now: Callable[[], float]
    sent_at: float
    closed_for: float | None = None

    def sent(self) -> None:
        self.sent_at = self.now()


class Throttle:
    """Keep the queue in front of one source."""

    def __init__(
        self, source: str, label: str, gates: Gates, pace: Pace, queue_seconds: float, now: Callable[[], float]
    ) -> None:
        """Wait at most *queue_seconds* for a turn while the source refuses nobody.

        Read from *now* the clock that all processes share, in seconds; waits are those of the event loop.
        """
        self._source, self._label = source, label
        self._gates, self._pace, self._now = gates, pace, now
        self._queue_seconds = max(queue_seconds, pace.budget)
        self._lock = anyio.Lock()
        self._waiting: list[_Patience] = []

    async def run(self, send: Send, refused: Callable[[Answer], bool]) -> Answer:
        """Return the answer to *send*, sent again after each refusal while the budget lasts.

        Raise RateLimitedError when the wait, that in the queue included, would go beyond what is allowed.
        """
        started, refusals, limit = anyio.current_time(), 0, self._queue_seconds
        while True:
            async with self._turn(started, limit) as turn:
                answer = await send(turn.sent)
                if not refused(answer):
                    return answer
                refusals, limit = refusals + 1, self._pace.budget
                pause = pacing.backoff(refusals, retry_after(answer, self._now()), self._pace)
                left = started + limit - anyio.current_time()
                # A wait that this call cannot afford is told to its caller, and closes the gate for our own pause only:
                # an hour asked of one request would else keep every server of the user away from the source.
                turn.closed_for = pause if pause <= left else pacing.backoff(refusals, None, self._pace)
                for waiter in self._waiting:
                    waiter.shorten(limit)
            if pause > left:
                raise RateLimitedError(
                    f"{self._label} refuses requests for now (HTTP {answer.status}, asked {refusals} times);"
                    f" {pacing.again(pause)}"
                )

    @asynccontextmanager
    async def _turn(self, started: float, limit: float) -> AsyncGenerator[_Turn]:
        owner = new_owner()
        await self._enter(owner, started, limit)
        turn = _Turn(self._now, sent_at=self._now())
        staying = asyncio.create_task(self._stay(owner))
        try:
            yield turn
        finally:
            staying.cancel()
            with anyio.CancelScope(shield=True):
                await self._gates.update(self._source, lambda gate: self._left(gate, owner, turn))
            self._lock.release()

    async def _stay(self, owner: str) -> None:
        """Say again and again that the gate's holder is there, which a stopped process does not."""
        while True:
            await asyncio.sleep(pacing.GRIP / 3)
            await self._gates.update(self._source, lambda gate: pacing.keep(gate, self._now(), owner))

    async def _enter(self, owner: str, started: float, limit: float) -> None:
        """Return holding the lock and the gate. Raise RateLimitedError when patience ends first."""
        with self._patience(started, limit) as patience:
            await self._lock.acquire()
            try:
                await self._pass_gate(owner, patience)
            except BaseException:
                self._lock.release()
                raise
            return
        waited = anyio.current_time() - started
        raise RateLimitedError(
            f"{self._label} could not be asked within {waited:.0f} s: too many requests are waiting for it, or it"
            " refuses them; try again later"
        )

    async def _pass_gate(self, owner: str, patience: _Patience) -> None:
        while True:
            gate = await self._gates.update(self._source, lambda gate: self._tried(gate, owner))
            if gate.holder == owner:
                return
            if gate.cooling:
                patience.shorten(self._pace.budget)
            wait = pacing.wait_before(gate, self._now())
            await anyio.sleep(min(wait, _POLL_SECONDS) if gate.holder else wait)

    def _tried(self, gate: Gate, owner: str) -> Gate:
        now = self._now()
        return gate if pacing.wait_before(gate, now) else pacing.take(gate, now, owner, self._pace)

    def _left(self, gate: Gate, owner: str, turn: _Turn) -> Gate:
        if gate.holder not in (owner, ""):
            return gate
        if turn.closed_for is not None:
            return pacing.refuse(gate, self._now(), turn.closed_for)
        return pacing.leave(gate, self._now(), turn.sent_at, self._pace)

    @contextmanager
    def _patience(self, started: float, limit: float) -> Generator[_Patience]:
        """Open a scope that ends when the call has waited for *limit* seconds since it *started*."""
        with anyio.CancelScope(deadline=started + limit) as scope:
            patience = _Patience(started, scope)
            self._waiting.append(patience)
            try:
                yield patience
            finally:
                self._waiting.remove(patience)


def retry_after(answer: Answer, now: float) -> float | None:
    """Return the seconds after *now* that the source asks to wait; None where it says nothing useful."""
    # Seconds, or a date of HTTP: https://www.rfc-editor.org/rfc/rfc9110#section-10.2.3
    text = answer.headers.get("retry-after", "").strip()
    if text.isdecimal():
        return float(text[:_MOST_DIGITS])
    try:
        return max(0.0, parsedate_to_datetime(text).timestamp() - now)
    except (TypeError, ValueError):
        return None
