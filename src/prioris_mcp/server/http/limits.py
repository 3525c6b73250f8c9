"""What connections may cost: how many there are, and how long each keeps us waiting."""

from __future__ import annotations

from dataclasses import dataclass

_OWN_FILES = 64
"""Descriptors that the library, its indexes, the parsers and the sources need, with some to spare."""
_FEWEST, _LONGEST_QUEUE = 8, 128


@dataclass(frozen=True, slots=True)
class Patience:
    """What connections may cost."""

    connections: int
    """At once."""
    of_one_client: int
    """At once, from one address."""
    head: float
    """Seconds from the first byte of a request, or from the beginning of the connection, to the end of its head."""
    body: float
    """Seconds from there to the end of its body, and that a client may leave an answer unread."""
    idle: float
    """Seconds between two requests."""

    def within(self, descriptors: int | None) -> Patience:
        """The same for a process that may open so many files.

        Some are left for its own; half of the others are for connections, the rest for those that wait to be accepted
        or have just been closed.
        """
        if descriptors is None:
            return self
        most = max(_FEWEST, (descriptors - _OWN_FILES) // 2)
        connections = min(self.connections, most)
        return Patience(connections, min(self.of_one_client, connections), self.head, self.body, self.idle)

    @property
    def at_a_time(self) -> int:
        """Connections that are accepted before any of them is looked at."""
        return max(_FEWEST, min(_LONGEST_QUEUE, self.connections // 4))


def descriptors() -> int | None:
    """How many files this process may open; None where the system does not count them."""
    try:
        import resource  # noqa: PLC0415 - Windows has none
    except ImportError:
        return None
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return None if soft == resource.RLIM_INFINITY else soft
