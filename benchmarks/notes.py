"""Searching many notes with every combination of filters, beside hand-written SQL for the same rows.

    python -m benchmarks.notes [--notes 50000] [--rounds 5] [--worst 12]

One process, the two in turn for every combination of provider, document, format, time, author, the three tag filters
and keyword. *bare* is the plainest statements for a count and the newest (best) fifty rows, on the same files and an
open connection, in a thread like everything that must not block the loop; nothing is made of the rows. (CROSS JOIN,
because SQLite's own choice takes seconds.) *ours* is NotesBackend.search, from the event loop to the finished notes.
The work per row differs for the two, so short queries are shown as a difference as well.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import random
import statistics
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import apsw
from anyio import to_thread

from prioris_mcp.adapters.sqlite.fts.query import QueryFrontEnd
from prioris_mcp.adapters.sqlite.notes.backend import SqliteNotesBackend
from prioris_mcp.domain.documents import ProviderName, SourceFormat
from prioris_mcp.domain.instants import Instant
from prioris_mcp.domain.notes.note import Anchor, AuthorFilter, Content, Location, Note, NoteFilter, Selectors, Subject
from prioris_mcp.domain.page import PageRequest

PAGE = PageRequest(0, 50)
START = 1_700_000_000_000_000
MINUTE = 60_000_000
WORDS = 3000
COLUMNS = "note_id, provider, identifier, format, author, created, updated, anchors, tags, metadata, text"
CHOICES: dict[str, list[Any]] = {
    "provider": [None, ProviderName("arxiv")],
    "identifiers": [(), ("2401.00007",)],
    "format": [None, SourceFormat.PDF],
    "since": [None, Instant(START + 10_000 * MINUTE)],
    "author": [AuthorFilter.ANY, AuthorFilter.MINE, AuthorFilter.NAMED],
    "tags_all": [(), ("common",), ("often", "common")],
    "tags_any": [(), ("often", "rare")],
    "tags_exclude": [(), ("seldom",)],
    "keyword": [None, "w40", "w2900"],
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--notes", type=int, default=50_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--worst", type=int, default=12)
    parser.add_argument("--sample", type=int, default=0, help="only so many combinations, drawn at random")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(run(Path(folder), options))


async def run(root: Path, options: argparse.Namespace) -> None:
    backend = SqliteNotesBackend(root)
    notes = list(_notes(options.notes))
    since, started = await backend.position(), time.perf_counter()
    for first in range(0, len(notes), 1000):
        await backend.merge(notes[first : first + 1000], Instant(START), since)
    kept = time.perf_counter()
    await backend.search(NoteFilter(), "w40", PAGE)
    print(f"{len(notes)} notes kept in {kept - started:.1f} s, indexed in {time.perf_counter() - kept:.1f} s")
    bare, results = Bare(root), []
    chosen = list(_combinations())
    if options.sample:
        chosen = random.Random(3).sample(chosen, options.sample)
    for wanted, keyword in chosen:
        results.append(await _compared(backend, bare, wanted, keyword, options.rounds))
    _show(results, options.worst)
    backend.close()


async def _compared(
    backend: SqliteNotesBackend, bare: Bare, wanted: NoteFilter, keyword: str | None, rounds: int
) -> tuple[float, float, int, str]:
    """Medians in milliseconds, the total, and the name of one combination."""
    raws, ours = [], []
    for _ in range(rounds):
        started = time.perf_counter()
        expected = await to_thread.run_sync(bare.search, wanted, keyword)
        between = time.perf_counter()
        found = await backend.search(wanted, keyword, PAGE)
        raws.append((between - started) * 1e3)
        ours.append((time.perf_counter() - between) * 1e3)
        assert (found.total, [note.id for note in found.items]) == expected, (wanted, keyword)
    return statistics.median(raws), statistics.median(ours), found.total, _name(wanted, keyword)


def _show(results: list[tuple[float, float, int, str]], worst: int) -> None:
    ratios = sorted(ours / raw for raw, ours, _, _ in results)
    within = sum(ratio <= 1.5 for ratio in ratios)
    extra = statistics.median(ours - raw for raw, ours, _, _ in results)
    print(f"{len(results)} combinations: ratio median {statistics.median(ratios):.2f}, worst {ratios[-1]:.2f};")
    print(f"within 1.5: {within}; median difference {extra:.2f} ms")
    long = [(ours / raw, raw, ours, total, name) for raw, ours, total, name in results if raw >= 1]
    print(
        f"of the {len(long)} that take the bare statements 1 ms or more, within 1.5: {sum(x[0] <= 1.5 for x in long)}"
    )
    print(f"{'ratio':>6} {'bare ms':>8} {'ours ms':>8} {'total':>6}  combination")
    for raw, ours, total, name in sorted(results, key=lambda row: row[0] / row[1])[:worst]:
        print(f"{ours / raw:6.2f} {raw:8.2f} {ours:8.2f} {total:6d}  {name}")
    print("slowest:")
    for raw, ours, total, name in sorted(results, key=lambda row: -row[1])[:worst]:
        print(f"{ours / raw:6.2f} {raw:8.2f} {ours:8.2f} {total:6d}  {name}")


class Bare:
    """The statements that come to mind first."""

    def __init__(self, root: Path) -> None:
        self._db = apsw.Connection(str(root / "notes-search.sqlite3"), flags=apsw.SQLITE_OPEN_READONLY)
        self._db.execute("ATTACH ? AS notes", (str(root / "notes.sqlite"),))
        self._plan = QueryFrontEnd("text").plan

    def search(self, wanted: NoteFilter, keyword: str | None) -> tuple[int, list[str]]:
        where, values = self._where(wanted)
        source, order = "note", "created DESC, id DESC"
        if keyword:
            source, order = "word CROSS JOIN note ON note.id = word.rowid", "bm25(word), id DESC"
            where, values = ["word MATCH ?", *where], [self._plan(keyword).expressions[0], *values]
        condition = f"WHERE {' AND '.join(where)}" if where else ""
        self._db.execute("BEGIN")
        total = self._db.execute(f"SELECT count(*) FROM {source} {condition}", values).get
        rows = self._db.execute(
            f"SELECT {', '.join(f'note.{column}' for column in COLUMNS.split(', '))} FROM {source} {condition}"
            f" ORDER BY {order} LIMIT 50",
            values,
        ).fetchall()
        self._db.execute("COMMIT")
        return int(total), [str(row[0]) for row in rows]

    def _where(self, wanted: NoteFilter) -> tuple[list[str], list[Any]]:
        where: list[str] = []
        values: list[Any] = []
        equal = {
            "provider": wanted.provider,
            "work": wanted.identifiers[0] if wanted.identifiers else None,
            "format": wanted.format and wanted.format.value,
            "author": wanted.author_name,
        }
        for column, value in equal.items():
            if value is not None:
                where.append(f"{column} = ?")
                values.append(value)
        if wanted.since:
            where.append("note.created >= ?")
            values.append(wanted.since.micros)
        if wanted.author is AuthorFilter.MINE:
            where.append("author IS NULL")
        tags = [*((tag,) for tag in wanted.tags_all), *([wanted.tags_any] if wanted.tags_any else [])]
        for some in tags:
            where.append(f"note.id IN (SELECT note FROM tag WHERE tag IN ({', '.join('?' * len(some))}))")
            values += some
        if wanted.tags_exclude:
            where.append("note.id NOT IN (SELECT note FROM tag WHERE tag = ?)")
            values += wanted.tags_exclude
        return where, values


def _combinations() -> Iterator[tuple[NoteFilter, str | None]]:
    for values in itertools.product(*CHOICES.values()):
        chosen = dict(zip(CHOICES, values, strict=True))
        keyword = chosen.pop("keyword")
        if chosen["identifiers"] and not chosen["provider"]:
            continue
        name = "Ada" if chosen["author"] is AuthorFilter.NAMED else None
        yield NoteFilter(**chosen, author_name=name), keyword


def _name(wanted: NoteFilter, keyword: str | None) -> str:
    unset = NoteFilter()
    fields = [name for name in CHOICES if name != "keyword" and getattr(wanted, name) != getattr(unset, name)]
    shown = [f"{name}={getattr(wanted, name)}" if name.startswith(("tags", "author")) else name for name in fields]
    return " ".join([*shown, *([f"keyword={keyword}"] if keyword else [])]) or "(none)"


def _notes(number: int) -> Iterator[Note]:
    dice = random.Random(1)
    for _ in range(number):
        provider = dice.choices(list(map(ProviderName, ("arxiv", "europepmc", "localfile"))), [70, 28, 2])[0]
        identifier = {
            ProviderName("arxiv"): f"24{dice.randrange(1, 13):02d}.{dice.randrange(500):05d}v{dice.randrange(1, 3)}",
            ProviderName("europepmc"): f"PMC:PMC{dice.randrange(1000, 6000)}",
            ProviderName("localfile"): f"20260101-0000-{dice.randrange(1000, 1500)}",
        }[provider]
        format_ = SourceFormat.XML if provider is ProviderName("europepmc") else SourceFormat.PDF
        tags = [
            tag
            for tag, share in (("common", 0.6), ("often", 0.2), ("seldom", 0.02), ("rare", 0.001))
            if dice.random() < share
        ]
        words = " ".join(f"w{int(WORDS ** dice.random())}" for _ in range(dice.randrange(10, 120)))
        anchors = (Anchor(Location(dice.randrange(1, 30), "Method"), Selectors("a passage that is quoted here")),)
        content = Content(
            words,
            anchors if dice.random() < 0.5 else (),
            "Ada" if dice.random() < 0.05 else "Grace" if dice.random() < 0.1 else None,
            (*tags, f"topic-{dice.randrange(2000)}"),
            {"project": "thesis"} if dice.random() < 0.2 else None,
        )
        created = Instant(START + dice.randrange(number) * MINUTE)
        subject = Subject(provider, identifier, format_ if dice.random() < 0.8 else None)
        yield Note(f"{dice.getrandbits(64):016x}", subject, content, created, created)


if __name__ == "__main__":
    main()
