"""What was asked: one record for each request, and the questions tests put to the records."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from itertools import pairwise

from tests.replay.wire import path_of, query_of


@dataclass
class Asked:
    """One request.  `at` and `done` are monotonic seconds; `done` is None while it is in flight."""

    at: float
    scheme: str
    host: str
    target: str  # the path and query exactly as they were sent
    headers: dict[str, str] = field(default_factory=dict)
    method: str = "GET"
    status: int | None = None  # None until an answer has been started
    refused: bool = False  # nothing here knows how to answer this
    done: float | None = None

    @property
    def path(self) -> str:
        """The path, undecoded."""
        return path_of(self.target)

    @property
    def query(self) -> dict[str, str]:
        """The decoded parameters of the query."""
        return query_of(self.target)

    @property
    def url(self) -> str:
        """The whole address."""
        return f"{self.scheme}://{self.host}{self.target}"

    def in_flight(self, moment: float) -> bool:
        """Whether this request had started, and had not been answered, at `moment`."""
        return self.at < moment and (self.done is None or moment < self.done)


def under(host: str, suffix: str) -> bool:
    """Whether `host` is `suffix` or a name below it."""
    return host == suffix or host.endswith(f".{suffix}")


class Ledger:
    """All requests so far, safe to read from another thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._records: list[Asked] = []

    def add(self, record: Asked) -> Asked:
        """Keep one more record."""
        with self._lock:
            self._records.append(record)
        return record

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._records.clear()

    def all(self) -> list[Asked]:
        """A copy of the list, in the order in which the requests arrived."""
        with self._lock:
            return list(self._records)

    def to(self, host_suffix: str) -> list[Asked]:
        """The requests to hosts under a name, by starting time."""
        chosen = (asked for asked in self.all() if under(asked.host, host_suffix))
        return sorted(chosen, key=lambda asked: asked.at)

    def gaps(self, host_suffix: str) -> list[float]:
        """Seconds from the start of each request to the start of the next."""
        return [later.at - earlier.at for earlier, later in pairwise(self.to(host_suffix))]

    def overlaps(self, host_suffix: str) -> int:
        """How many requests started while another was in flight."""
        chosen = self.to(host_suffix)
        return sum(any(other.in_flight(asked.at) for other in chosen) for asked in chosen)

    def targets(self, host: str | None = None) -> list[str]:
        """The targets asked for, of one host or of all."""
        return [asked.target for asked in self.all() if host in (None, asked.host)]
