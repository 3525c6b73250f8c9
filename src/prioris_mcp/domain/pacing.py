"""When the next request to a source may be sent: pure decisions, with the clock as an argument.

A gate is shared by every process of one user on one machine. It is taken before a request is sent, so a
process that is killed while holding it has already paid for its slot: nobody gets in early, and the hold
ends by itself.
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
    """The state of one source's gate. Times are seconds of one clock that all processes share."""

    since: float = 0.0
    """When the gate was last changed."""
    opens_at: float = 0.0
    holder: str = ""
    held_until: float = 0.0
    cooling: bool = False
    """Whether the source refused us last time, so that waiting is its wish and not our politeness."""

    def freed(self) -> Gate:
        """The gate without its holder; when it opens stays as it is."""
        return replace(self, holder="", held_until=0.0)


@dataclass(frozen=True, slots=True)
class Pace:
    """How a source wants to be asked. All in seconds."""

    spacing: float = 3.0
    """Between the starts of two requests."""
    first_backoff: float = 3.0
    """Wait after the first refusal; doubled for each further one."""
    budget: float = 60.0
    """Longest that one call may spend waiting once the source has refused."""


def wait_before(gate: Gate, now: float) -> float:
    """Seconds until *gate* may be taken; 0 for now. A clock that was set back locks nobody out."""
    until = max(gate.opens_at, gate.held_until if gate.holder else 0.0)
    return max(0.0, until - max(now, gate.since))


def take(gate: Gate, now: float, holder: str, pace: Pace) -> Gate:
    """The gate once *holder* went through it. It has it for `GRIP` seconds, and longer where it says so by `keep`."""
    return replace(gate, since=now, opens_at=now + pace.spacing + MARGIN, holder=holder, held_until=now + GRIP)


def keep(gate: Gate, now: float, holder: str) -> Gate:
    """The gate after *holder* said that it is still there; as it was, where another has it by now."""
    return replace(gate, since=now, held_until=now + GRIP) if gate.holder == holder else gate


def leave(gate: Gate, now: float, sent_at: float, pace: Pace) -> Gate:
    """The gate after an answer: the spacing counts from the moment the request was really sent."""
    opens_at = max(gate.opens_at, sent_at + pace.spacing + MARGIN)
    return Gate(since=now, opens_at=opens_at)


def refuse(gate: Gate, now: float, wait: float) -> Gate:
    """The gate after the source refused: closed for everybody for *wait* seconds."""
    return Gate(since=now, opens_at=max(gate.opens_at, now + wait), cooling=True)


def again(seconds: float | None) -> str:
    """When to try again, in words; None and less than a second are no answer that anybody could act on."""
    if seconds is None:
        return "try again later"
    return f"try again in {max(1, math.ceil(seconds))} s"


def backoff(refusals: int, retry_after: float | None, pace: Pace) -> float:
    """Seconds to wait after the *refusals*-th refusal of one call: 3, 6, 12 …, or what the source asks.

    A ``Retry-After`` of 0 says nothing, and is ignored.
    """
    return retry_after or pace.first_backoff * 2 ** (refusals - 1)
