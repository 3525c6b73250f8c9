"""Read moments in time as people write them, and compare them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

from prioris_mcp.errors import InvalidRequestError

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_SHOWN = 100
_DATE_AND_TIME = re.compile(r"[\dW-]{7,10}[T ]\d", re.ASCII)


@dataclass(frozen=True, slots=True, order=True)
class Instant:
    """Hold a moment, in microseconds since the beginning of 1970, UTC."""

    micros: int

    def __post_init__(self) -> None:
        if not _FIRST <= self.micros <= _LAST:
            raise InvalidRequestError("a time must lie in the years 1 to 9999")

    @classmethod
    def of(cls, moment: datetime) -> Instant:
        """Return the instant of *moment*, read as UTC where it has no offset."""
        aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        return cls.nearest((aware - _EPOCH) // _MICROSECOND)

    @classmethod
    def parse(cls, text: str, name: str) -> Instant:
        """Return the start of what *text* says in ISO 8601. Raise InvalidRequestError, with *name*, for other text."""
        return cls.of(_read(text, name, time.min))

    @classmethod
    def parse_end(cls, text: str, name: str) -> Instant:
        """Return the instant as `parse` does, but the end of a date without a time."""
        return cls.of(_read(text, name, time.max))

    def after(self, other: Instant) -> Instant:
        """Return this instant, or the first one after *other* where this is not later; at most the last there is."""
        return self if self > other else Instant(min(other.micros + 1, _LAST))

    @classmethod
    def nearest(cls, micros: int) -> Instant:
        """Return the instant of *micros*, or the first or last that there is where that lies beyond."""
        return cls(min(max(micros, _FIRST), _LAST))

    def __str__(self) -> str:
        return (_EPOCH + self.micros * _MICROSECOND).isoformat(timespec="microseconds")


_FIRST = (datetime.min.replace(tzinfo=UTC) - _EPOCH) // _MICROSECOND
_LAST = (datetime.max.replace(tzinfo=UTC) - _EPOCH) // _MICROSECOND


def _read(text: str, name: str, without_time: time) -> datetime:
    bare = text.strip().upper()
    try:
        return datetime.combine(date.fromisoformat(bare), without_time)
    except ValueError:
        pass
    try:
        if _DATE_AND_TIME.match(bare):
            return datetime.fromisoformat(bare)
    except ValueError:
        pass
    raise InvalidRequestError(
        f"{name} must be a date or a time in ISO 8601, such as 2026-07-29 or 2026-07-29T14:30:00+02:00,"
        f" got {text[:_SHOWN]!r}"
    )
