"""When the next request may be sent, without sleeping."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prioris_mcp.domain.pacing import GRIP, MARGIN, Gate, Pace, backoff, keep, leave, refuse, take, wait_before

PACE = Pace(spacing=3, first_backoff=3, budget=60)
times = st.floats(0, 1e6)


def test_an_untouched_gate_is_open():
    """The first request waits for nothing."""
    assert wait_before(Gate(), 1000.0) == 0


@given(times, times)
def test_two_starts_are_the_spacing_apart(now, later):
    """Whatever happens in between, nobody passes within the spacing of the last start."""
    gate = take(Gate(), now, "a", PACE)
    gate = leave(gate, now, sent_at=now, pace=PACE)
    if later >= now and wait_before(gate, later) == 0:
        assert later - now >= PACE.spacing


def test_the_spacing_counts_from_when_the_request_was_sent():
    """A slow handshake before the request does not eat into the pause."""
    gate = leave(take(Gate(), 10, "a", PACE), 14, sent_at=13, pace=PACE)
    assert wait_before(gate, 14) == pytest.approx(13 + 3 + MARGIN - 14)


def test_a_held_gate_opens_when_the_hold_ends():
    """A holder whose process was stopped or killed blocks nobody for longer than its grip."""
    gate = take(Gate(), 100, "stopped", PACE)
    assert wait_before(gate, 104) == GRIP - 4
    assert wait_before(gate, 100 + GRIP) == 0


def test_a_holder_that_is_there_keeps_the_gate():
    """For as long as its request takes; but not a gate that another one has taken meanwhile."""
    gate = keep(take(Gate(), 100, "slow", PACE), 108, "slow")
    assert wait_before(gate, 112) == GRIP - 4
    lost = take(gate, 120, "next", PACE)
    assert keep(lost, 121, "slow") == lost


def test_a_freed_gate_keeps_its_pause():
    """When a holder is known to be dead, the pause after its start still holds."""
    gate = take(Gate(), 100, "killed", PACE).freed()
    assert wait_before(gate, 101) == pytest.approx(2 + MARGIN)


def test_a_refusal_closes_the_gate_for_everybody():
    """Until the wait is over; then the gate is no longer held."""
    gate = refuse(take(Gate(), 100, "a", PACE), 101, 12)
    assert (wait_before(gate, 101), gate.cooling, gate.holder) == (12, True, "")
    assert leave(gate, 120, sent_at=120, pace=PACE).cooling is False


def test_a_clock_that_was_set_back_locks_nobody_out():
    """The wait is never longer than it was when the gate was closed."""
    gate = leave(take(Gate(), 1e6, "a", PACE), 1e6, sent_at=1e6, pace=PACE)
    assert wait_before(gate, 10) == pytest.approx(3 + MARGIN)


def test_backoff_doubles_and_listens():
    """3, 6, 12, 24, 48 s; a Retry-After counts instead, but one of 0 says nothing."""
    assert [backoff(n, None, PACE) for n in range(1, 6)] == [3, 6, 12, 24, 48]
    assert backoff(3, 5.0, PACE) == 5
    assert backoff(2, 0.0, PACE) == 6
