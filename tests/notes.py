"""Notes for tests: one by hand, and any that hypothesis can think of."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import datetime
from typing import Any

from hypothesis import strategies as st

from prioris_mcp.domain.documents import ProviderName, SourceFormat
from prioris_mcp.domain.instants import Instant
from prioris_mcp.domain.notes.note import Anchor, Content, Location, Note, Selectors, Subject

SECOND = 1_000_000
START = Instant.parse("2026-01-01", "start")
LORA = Subject(ProviderName("arxiv"), "2106.09685v2", SourceFormat.PDF)
ARTICLE = Subject(ProviderName("europepmc"), "PMC:PMC4767193")


def later(seconds: float) -> Instant:
    """So many seconds after `START`."""
    return Instant(START.micros + int(seconds * SECOND))


def note(number: int, text: str = "alpha", subject: Subject = LORA, at: float | None = None, **content: Any) -> Note:
    """A note with the id *number*, written at *at* seconds, by default *number*."""
    when = later(number if at is None else at)
    return Note(f"{number:016x}", subject, Content(text, **content), when, when)


_SUBJECTS = (
    LORA,
    ARTICLE,
    Subject(ProviderName("arxiv"), "2106.09680"),
    Subject(ProviderName("arxiv"), "hep-th/9901001v3", SourceFormat.HTML),
    Subject(ProviderName("europepmc"), "10.1038/nature12373", SourceFormat.XML),
    Subject(ProviderName("localfile"), "20260729-1430-a3f2", SourceFormat.PDF),
)
words = st.text(st.characters(codec="utf-8"))
"""Everything that UTF-8 can hold, NUL and line ends of all kinds included."""
_named = words.filter(str.strip)
_places = st.builds(Location, st.none() | st.integers(), st.none() | words, st.none() | st.integers())
_quotes = st.builds(Selectors, *[st.none() | words] * 3)
_anchors = st.builds(lambda place, quote: (place, quote), st.none() | _places, st.none() | _quotes).filter(
    lambda pair: pair[0] not in (None, Location()) or pair[1] not in (None, Selectors())
)
_contents = st.builds(
    Content,
    _named,
    st.lists(_anchors.map(lambda pair: Anchor(*pair)), max_size=3).map(tuple),
    st.none() | words,
    st.lists(_named, max_size=4).map(tuple),
    st.none() | st.dictionaries(words, words, max_size=4),
)
_subjects = st.sampled_from(_SUBJECTS)
_instants = st.datetimes(max_value=datetime(9998, 12, 31)).map(Instant.of)  # noqa: DTZ001 - UTC, as Instant has it
all_notes = st.builds(
    lambda number, subject, content, *times: Note(f"{number:016x}", subject, content, *sorted(times)),
    st.integers(0, 2**64 - 1),
    _subjects,
    _contents,
    _instants,
    _instants,
)


_POOLS = (range(0x20, 0x7F), range(0xA1), range(0x80, 0x3000), range(0x2000, 0x2070), range(0x4E00, 0xA000))
_HIGH = (range(0xE000, 0x10000), range(0x10000, 0x110000))
_AWKWARD = (
    "---\n",
    "\n---\n",
    "\r\n",
    "\r",
    "\ufeff",
    "\x00",
    "\x85",
    "\u2028",
    '"',
    "\\",
    ": ",
    " #",
    "null",
    "~",
    "- ",
)


def random_note(dice: random.Random, number: int) -> Note:
    """Any note, quickly: every kind of character, every field, one in fifty very long."""
    long = 50_000 if number % 50 == 0 else 0
    content = Content(
        "x" + _random_text(dice, 1, long or 600),
        tuple(_random_anchor(dice) for _ in range(dice.choice((0, 0, 1, 3)))),
        dice.choice((None, "Ada", _random_text(dice, 1, 20))),
        tuple("t" + _random_text(dice, 0, 12) for _ in range(dice.randrange(4))),
        dice.choice((None, {}, {_random_text(dice, 0, 9): _random_text(dice, 0, 80) for _ in range(3)})),
    )
    if long:
        content = replace(content, metadata={"k" * 3000: _random_text(dice, 0, long)})
    subject = dice.choice(_SUBJECTS)
    times = sorted(Instant(dice.randrange(-(10**15), 10**16)) for _ in range(2))
    return Note(f"{dice.getrandbits(64):016x}", subject, content, *times)


def _random_text(dice: random.Random, least: int, most: int) -> str:
    pool = dice.choice(_POOLS + _HIGH)
    pieces = (dice.choice(_AWKWARD) if dice.random() < 0.05 else chr(dice.choice(pool)) for _ in range(most))
    return "".join(pieces)[: dice.randrange(least, most + 1)]


def _random_anchor(dice: random.Random) -> Anchor:
    place = Location(dice.randrange(-5, 10**12), dice.choice((None, _random_text(dice, 0, 40))))
    words = Selectors(*(dice.choice((None, _random_text(dice, 0, 200))) for _ in range(3)))
    return dice.choice((Anchor(place), Anchor(place, words), Anchor(Location(), replace(words, exact_text_quote=""))))


def long_note(number: int, size: int) -> Note:
    """A note whose every field is long: more than a megabyte in all where *size* is 100,000."""
    text = ("𝔸 ½ 注意 e\u0301 \u2028\x85\x00\r\n---\n" * (size // 20 + 1))[:size]
    key = text[: min(size, 2000)]
    content = Content(
        text * 10,
        (Anchor(Location(3, text), Selectors(text, text, text)),),
        f"Ada {key}",
        (f"tag {key}", "other"),
        {key: text, "k" * 1500: "v", "\x00": ""},
    )
    return replace(note(number), content=content)
