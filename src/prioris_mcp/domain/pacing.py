"""Decide when the next request to a source may be sent: pure functions, with the clock as an argument.

A gate is shared by every process of one user on one machine. It is taken before a request is sent, so a process that is
killed while holding it has already paid for its slot: nobody gets in early, and the hold ends by itself.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

MARGIN = 0.02
"""Seconds added to the spacing, so that uneven travel times cannot bring two requests closer than it."""
GRIP = 10.0
"""Seconds after which a holder that no longer says that it is there has lost the gate: its process was stopped."""


@dataclass(frozen=True, slots=True)
class Gate:
    """Hold the state of one source's gate. Times are seconds of one clock that all processes share."""

    since: float = 0.0
    """Time when the gate was last changed."""
    opens_at: float = 0.0
    holder: str = ""
    held_until: float = 0.0
    cooling: bool = False
    """Tell whether the source refused us last time, so that waiting is its wish and not our politeness."""

    def freed(self) -> Gate:
        """Return the gate without its holder; leave when it opens as it is."""
        return replace(self, holder="", held_until=0.0)


@dataclass(frozen=True, slots=True)
class Pace:
    """Tell how a source wants to be asked. All in seconds."""

    # As arXiv's terms of use ask: https://info.arxiv.org/help/api/tou.html
    spacing: float = 3.0
    """Time between the starts of two requests."""
    first_backoff: float = 3.0
    """Wait after the first refusal; doubled for each further one."""
    budget: float = 60.0
    """Longest time that one call may wait once the source has refused."""


def wait_before(gate: Gate, now: float) -> float:
    """Return the seconds until *gate* may be taken; 0 for now. A clock that was set back locks nobody out."""
    until = max(gate.opens_at, gate.held_until if gate.holder else 0.0)
    return max(0.0, until - max(now, gate.since))


def take(gate: Gate, now: float, holder: str, pace: Pace) -> Gate:
    """Return the gate once *holder* took it, for `GRIP` seconds, and longer where `keep` is called."""
    return replace(gate, since=now, opens_at=now + pace.spacing + MARGIN, holder=holder, held_until=now + GRIP)


def keep(gate: Gate, now: float, holder: str) -> Gate:
    """Return the gate after *holder* said that it is still there; unchanged where another has it by now."""
    return replace(gate, since=now, held_until=now + GRIP) if gate.holder == holder else gate


def leave(gate: Gate, now: float, sent_at: float, pace: Pace) -> Gate:
    """Return the gate after an answer: the spacing counts from the moment the request was really sent."""
    opens_at = max(gate.opens_at, sent_at + pace.spacing + MARGIN)
    return Gate(since=now, opens_at=opens_at)


def refuse(gate: Gate, now: float, wait: float) -> Gate:
    """Return the gate after the source refused: closed for everybody for *wait* seconds."""
    return Gate(since=now, opens_at=max(gate.opens_at, now + wait), cooling=True)


def again(seconds: float | None) -> str:
    """Say when to try again; name no time for None, and one second for less than that."""
    if seconds is None:
        return "try again later"
    return f"try again in {max(1, math.ceil(seconds))} s"


def backoff(refusals: int, retry_after: float | None, pace: Pace) -> float:
    """Return the seconds to wait after the *refusals*-th refusal of one call: 3, 6, 12 …, or what the source asks.

    Ignore a ``Retry-After`` of 0, which says nothing.
    """
    return retry_after or pace.first_backoff * 2 ** (refusals - 1)
