"""Rules that tests must hold: each with a way to break it, and the tests that notice. `make mutants` tries them all."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath


@dataclass(frozen=True, slots=True)
class Mutant:
    """One broken line."""

    file: str
    """Below ``src/prioris_mcp``."""
    old: str
    """Stands there exactly once."""
    new: str
    tests: tuple[str, ...]
    """Must fail, one of them at least."""
    rule: str
    """What is no longer so."""

    @property
    def path(self) -> PurePosixPath:
        """Below the root of the tree."""
        return PurePosixPath("src/prioris_mcp", self.file)

    def applied_to(self, text: str) -> str:
        """*text* of the file with the broken line; ValueError where that is not there exactly once."""
        if text.count(self.old) != 1:
            raise ValueError(f"{self.file} has {self.old!r} {text.count(self.old)} times")
        return text.replace(self.old, self.new)


_SQLITE = "tests/unit/adapters/sqlite"
_REPLACED = (f"{_SQLITE}/test_replaced.py", f"{_SQLITE}/test_history.py")
_HISTORY = (f"{_SQLITE}/test_history.py",)
_FOREIGN = ("tests/unit/adapters/filesystem/test_foreign.py",)
_THROTTLE = ("tests/unit/adapters/http/test_throttle.py",)
_COORDINATION = ("tests/contract/test_coordination.py",)
_SEARCH = (f"{_SQLITE}/test_text_index.py",)
_LIBRARY = ("tests/contract/test_library.py",)
_PARSING = ("tests/unit/app/test_parsing.py",)
_BOUNDS = ("tests/unit/server/test_bounds.py",)
_REDACTION = ("tests/unit/test_redaction.py",)
_JWT = ("tests/unit/server/test_authentication.py",)
_WAITING = ("tests/unit/server/test_connections.py",)
_ODD = ("tests/unit/adapters/test_odd_answers.py",)


def _in(file: str, tests: tuple[str, ...], *rows: tuple[str, str, str]) -> Iterator[Mutant]:
    """The mutants of one file that the same tests notice: old, new and rule of each."""
    for old, new, rule in rows:
        yield Mutant(file, old, new, tests, rule)


MUTANTS = (
    *_in(
        "adapters/http/throttle.py",
        _THROTTLE,
        (
            "turn.closed_for = pause if pause <= left else pacing.backoff(refusals, None, self._pace)",
            "turn.closed_for = pause",
            "a wait that a call cannot afford does not keep everybody else away",
        ),
        (
            "            if gate.cooling:\n                patience.shorten(self._pace.budget)\n",
            "",
            "who comes while the source refuses waits no longer than the budget",
        ),
    ),
    *_in(
        "domain/pacing.py",
        (*_THROTTLE, "tests/unit/domain/test_pacing.py"),
        (
            "opens_at = max(gate.opens_at, sent_at + pace.spacing + MARGIN)",
            "opens_at = max(gate.opens_at, now + pace.spacing + MARGIN)",
            "the spacing counts from when a request was sent",
        ),
    ),
    *_in(
        "adapters/sqlite/coordination.py",
        _COORDINATION,
        ("HELD_SECONDS = 15.0", "HELD_SECONDS = 900.0", "a holder that was stopped loses its lease soon"),
        (
            '"UPDATE lease SET expires = ? WHERE name = ? AND owner = ?", (self._until(), name, owner)',
            '"UPDATE lease SET expires = expires WHERE name = ? AND owner = ?", (name, owner)',
            "a lease is renewed while its holder is at work",
        ),
        (
            "now < held[1] <= now + HELD_SECONDS",
            "now < held[1]",
            "a lease from a clock that was ahead is no lease for years",
        ),
    ),
    *_in(
        "adapters/sqlite/fts/index.py",
        _SEARCH,
        (
            "_HEADING_WEIGHT, _BODY_WEIGHT = 2.0, 1.0",
            "_HEADING_WEIGHT, _BODY_WEIGHT = 1.0, 1.0",
            "a word in a heading counts more than one in a text",
        ),
        (
            "_HEADING_WEIGHT, _BODY_WEIGHT = 2.0, 1.0",
            "_HEADING_WEIGHT, _BODY_WEIGHT = 20.0, 1.0",
            "a word in a heading does not count more than a text about it",
        ),
    ),
    *_in(
        "adapters/sqlite/engine.py",
        _REPLACED,
        (
            "if self._writer is not None and self._looked_at() != self._identities:",
            "if False:",
            "before each use it is looked whether the file is still the one that is open",
        ),
        (
            "if not self._disposable and self._looked_at() != identities:",
            "if False:",
            "after a durable write it is looked once more",
        ),
        (
            "(moved or now[_LOG] is None)",
            "moved",
            "what a removed log held is played into the file",
        ),
        (
            "if now[_FILE] is None and not self._disposable:",
            "if False:",
            "a durable file that is gone is an error, and not made anew",
        ),
        (
            "        if keep_log:\n            self._file.remove_companions(self._companions)\n",
            "        if keep_log:\n            self._file.remove_companions()\n",
            "the log of a file that was put in the place of ours is not removed",
        ),
    ),
    *_in(
        "adapters/sqlite/database_file.py",
        _REPLACED,
        (
            "if number not in (0, APPLICATION_ID):",
            "if False:",
            "a database with the mark of another program is not opened",
        ),
        ("if found.st_size == 0:", "if False:", "an empty file is not taken for a new database"),
    ),
    *_in(
        "adapters/sqlite/history.py",
        _HISTORY,
        (
            "        return not known\n",
            "        return False\n",
            "a backup copied over a file where it lies is noticed",
        ),
        (
            "return same and place.session == _session(db, place.number, schema)",
            "return same",
            "a place in the history of a backup that counted on is not known",
        ),
        ("lower(hex(randomblob(8)))", "'one'", "each program's changes are a session with a name of their own"),
    ),
    *_in(
        "adapters/filesystem/backend.py",
        (*_LIBRARY, *_PARSING),
        (
            "return row if since in (None, _revision(db, key)) else None",
            "return row",
            "Markdown is kept only while what it was made of is listed",
        ),
    ),
    *_in(
        "adapters/filesystem/integrity.py",
        ("tests/unit/adapters/filesystem/test_backend.py",),
        (
            "if hashlib.sha256(content).hexdigest() != row.sha256:",
            "if False:",
            "nothing is served that is not what was stored",
        ),
    ),
    *_in(
        "adapters/filesystem/blobs.py",
        _FOREIGN,
        (
            "        return os.lstat(path).st_mode\n",
            "        return os.stat(path).st_mode\n",
            "nothing is read, entered or deleted through a link",
        ),
        (
            "if not _is_work(work.name) or not work.is_dir(follow_symlinks=False):",
            "if not _is_work(work.name) or not work.is_dir():",
            "a link to a folder is named among what is not ours",
        ),
        (
            "own = _is_work(work) and format_ in _FORMATS and _NAME.fullmatch(name)",
            "own = True",
            "a damaged catalogue names no file outside of the store",
        ),
    ),
    *_in(
        "server/arguments/bounds.py",
        _BOUNDS,
        ('_check("characters", len(value), field.get("maxLength"), name)', "pass", "a text has a bound"),
        ('_check("entries", len(value), field.get("maxItems"), name)', "pass", "a list has a bound"),
        (
            '_check("characters", sum(_lengths(value)), MOST_CHARACTERS_OF_A_LIST, name)',
            "pass",
            "the texts of a list have a bound together",
        ),
        ("            yield len(str(key))\n", "", "the names in an object count as its texts do"),
    ),
    *_in(
        "redaction.py",
        _REDACTION,
        (
            "    for shift in range(3):\n",
            "    for shift in range(1):\n",
            "a secret in base64 is found wherever it begins",
        ),
        (
            "self._plain += [_Needle(text.encode().hex(), 2 * ANYWHERE) for text in words]",
            "pass",
            "a secret in hexadecimal is found",
        ),
        (
            '    return _USER.sub(r"\\1", _HIDDEN_PARTS.sub("", address))\n',
            '    return _HIDDEN_PARTS.sub("", address)\n',
            "an address is shown without its user",
        ),
        ("_LAYERS = 6", "_LAYERS = 1", "encodings in each other are read"),
    ),
    *_in(
        "server/http/authentication.py",
        _JWT,
        ('if claims.get("exp") is None and self._must_expire:', "if False:", "a token must have an end"),
        ("now, now + LONGEST_LIFE)", "now, math.inf)", "a token whose end was not meant is refused"),
    ),
    *_in(
        "server/http/connections.py",
        _WAITING,
        (
            "self._timer = self.loop.call_later(getattr(self._room.patience, self.stage), self._give_up)",
            "pass",
            "a request that stops somewhere is given up",
        ),
        (
            "        if stage != self.stage:\n            self.stage = stage\n            self._wait()\n",
            "        self.stage = stage\n        self._wait()\n",
            "a byte more is no reason to wait longer",
        ),
        (
            'for stage in ("head", "idle", "body"):',
            'for stage in ("body", "idle", "head"):',
            "half an upload is closed last for a new connection",
        ),
    ),
    *_in(
        "adapters/arxiv/files.py",
        ("tests/unit/adapters/arxiv/test_decoders.py",),
        (
            "return pdfs.begins(content) and pdfs.ends(content)",
            "return pdfs.begins(content)",
            "a stored PDF that broke off is no paper",
        ),
        (
            "return pages.kind(content) is PageKind.PAPER",
            "return pages.kind(content) is not PageKind.NONE",
            "a stored page about something else is no paper",
        ),
    ),
    *_in(
        "app/fetch.py",
        ("tests/unit/app/test_fetching.py",),
        (
            "if content is None or not await to_thread.run_sync(source.is_paper, content, key.format):",
            "if content is None:",
            "what is stored and no paper is asked for anew",
        ),
    ),
    *_in(
        "adapters/arxiv/client.py",
        _ODD,
        (
            "if not feed.records and feed.total > start:",
            "if False:",
            "a page that is empty twice is a failure where arXiv counts results",
        ),
        (
            "        if feed.total > len(feed.records):\n            raise ProviderUnavailableError(_gap(feed))\n",
            "",
            "fewer records than are counted are a failure of the source",
        ),
    ),
)
