"""How much each may do in a time."""

from __future__ import annotations

import math

from hypothesis import given
from hypothesis import strategies as st

from prioris_mcp.server.quotas import Quota


def test_each_has_its_own():
    """What one has used up comes back evenly, and another does not notice."""
    quota = Quota(2, 60)
    assert [quota.wait("a", 1, 0) for _ in range(3)] == [0, 0, 30]
    assert quota.wait("b", 2, 0) == 0
    assert [quota.wait("a", 1, 30), quota.wait("a", 1, 30)] == [0, 30]


def test_what_is_never_possible_is_said():
    """Also where nothing was used yet; no limit allows anything."""
    assert math.isinf(Quota(2, 60).wait("a", 3, 0))
    assert Quota(0, 60).wait("a", 10**9, 0) == 0


@given(st.lists(st.tuples(st.integers(1, 5), st.floats(0, 30)), max_size=60))
def test_no_window_has_more_than_twice_the_quota(calls):
    """And whoever waits as long as told is let in."""
    quota, now, taken = Quota(5, 10), 0.0, []
    for cost, pause in calls:
        now += pause
        wait = quota.wait("a", cost, now)
        if wait:
            now += wait + 1e-6
            assert quota.wait("a", cost, now) == 0
        taken.append((now, cost))
        assert sum(cost for at, cost in taken if at > now - 10) <= 10
