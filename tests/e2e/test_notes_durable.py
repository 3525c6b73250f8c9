"""Notes among several servers, through kills and lost files, and out to a folder and back.

`PRIORIS_NOTES_CRASHES` says how often to kill (3), `PRIORIS_CRASH_SEED` where in the sequence of chances to start (1).
"""

from __future__ import annotations

import json
import os
import random
import time
from collections.abc import Mapping
from concurrent.futures import Future, wait
from pathlib import Path
from typing import Any

from tests.e2e.conftest import LORA, Launch
from tests.e2e.notes import CREATE, DELETE, READ, SEARCH, UPDATE, found, put
from tests.e2e.process import FETCH, Home, Server, structured
from tests.e2e.terminal import command

CRASHES = int(os.environ.get("PRIORIS_NOTES_CRASHES", "3"))
SEED = int(os.environ.get("PRIORIS_CRASH_SEED", "1"))
LONGEST = 0.5
"""Seconds of writing before a kill, at most."""


def test_two_servers_update_one_note(launch: Launch, home: Home) -> None:
    """Forty updates of two fields through two processes: all acknowledged, both fields hold, time moves forward."""
    servers = [launch(), launch()]
    made = put(servers[0])
    begun = [
        servers[number % 2].begin(
            UPDATE,
            note_id=made["id"],
            **({"text": f"text {number}"} if number % 4 < 2 else {"tags": [f"tag {number}"]}),
        )
        for number in range(40)
    ]
    wait(begun, 60)
    done = [structured(answer.result(0)) for answer in begun]
    last = servers[1].ok(READ, note_id=made["id"])
    assert last in done
    assert last["text"].startswith("text ") and last["tags"][0].startswith("tag ")
    times = sorted(note["updated_at"] for note in done)
    assert len(set(times)) == 40
    assert made["updated_at"] < times[0] and times[-1] == last["updated_at"]
    assert {note["text"] for note in (server.ok(SEARCH)["fts"]["notes"][0] for server in servers)} == {last["text"]}


def test_the_search_file_may_be_lost(launch: Launch, home: Home) -> None:
    """Deleted under a running server, damaged, or from another time: searches are complete all the same."""
    notes = home.root / "data" / "prioris-mcp" / "notes"
    search = notes / "notes-search.sqlite3"
    server = launch()
    put(server, "alpha one")
    assert found(server, keyword="alpha") == ["alpha one"]
    _remove(search)
    put(server, "alpha two")
    assert sorted(found(server, keyword="alpha")) == ["alpha one", "alpha two"]
    server.close()
    server.wait()
    _remove(search)
    search.write_bytes(b"garbage" * 5000)
    server = launch()
    assert sorted(found(server, keyword="alpha")) == ["alpha one", "alpha two"]
    assert sorted(path.name for path in notes.iterdir() if path.suffix in (".sqlite", ".sqlite3")) == [
        "notes-search.sqlite3",
        "notes.sqlite",
    ]


def _remove(path: Path) -> None:
    for suffix in ("", "-wal", "-shm"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)


def test_notes_outlive_their_document(launch: Launch) -> None:
    """Deleting a fetched paper leaves the notes on it."""
    server = launch()
    server.ok(FETCH, arxiv_id=LORA, format="pdf")
    put(server, format="pdf")
    entry = {"provider": "arxiv", "identifier": LORA, "format": "pdf", "artefact": "all"}
    server.ok("research_delete_fetched", entries=[entry])
    assert found(server, provider="arxiv", canonical_identifier=LORA, format="pdf") == ["alpha"]


class Life:
    """Notes that were written by servers that were killed, and what these had acknowledged."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.kept: dict[str, dict[str, Any]] = {}
        self.unsure: dict[str, str] = {}
        """Notes that were being changed or deleted, and the text that was asked for."""
        self.gone: set[str] = set()

    def write(self, server: Server) -> None:
        """Create sixty notes, change some of those there are and delete some, all at once, without waiting."""
        for _ in range(60):
            begun = server.begin(CREATE, provider="arxiv", identifier=LORA, text=f"born {self.chance.random()}")
            begun.add_done_callback(self._created)
        for number, note_id in enumerate(self.chance.sample(sorted(self.kept), min(20, len(self.kept)))):
            self.unsure[note_id] = f"changed {self.chance.random()}"
            if number % 2:
                begun = server.begin(DELETE, note_id=note_id)
                begun.add_done_callback(lambda answer, note_id=note_id: self._deleted(answer, note_id))
            else:
                begun = server.begin(UPDATE, note_id=note_id, text=self.unsure[note_id])
                begun.add_done_callback(lambda answer, note_id=note_id: self._changed(answer, note_id))

    def _created(self, answer: Future[dict[str, Any]]) -> None:
        if answer.exception() is None:
            note = structured(answer.result())
            self.kept[note["id"]] = note

    def _changed(self, answer: Future[dict[str, Any]], note_id: str) -> None:
        if answer.exception() is None:
            self.kept[note_id] = structured(answer.result())
            del self.unsure[note_id]

    def _deleted(self, answer: Future[dict[str, Any]], note_id: str) -> None:
        if answer.exception() is None:
            self.gone.add(note_id)
            del self.kept[note_id], self.unsure[note_id]

    def check(self, there: Mapping[str, dict[str, Any]]) -> None:
        """What was acknowledged holds; what was under way holds or does not, but not in between."""
        assert not self.gone & set(there)
        for note_id, note in self.kept.items():
            if note_id not in self.unsure:
                assert there[note_id] == note
            elif note_id in there:
                assert there[note_id]["text"] in (note["text"], self.unsure[note_id])
        self.kept = dict(there)
        self.unsure.clear()


def test_killed_servers_lose_nothing(launch: Launch) -> None:
    """After SIGKILL at any moment, every acknowledged note is there as acknowledged, and can be found by its words."""
    chance = random.Random(SEED)
    life = Life(chance)
    for _ in range(CRASHES):
        server = launch()
        life.check(_everything(server))
        life.write(server)
        if chance.random() < 0.5:
            server.begin(SEARCH, keyword="born")
        time.sleep(chance.uniform(0, LONGEST))
        server.kill()
    server = launch()
    there = _everything(server)
    life.check(there)
    assert server.ok(SEARCH, keyword="born OR changed", limit=1)["fts"]["total"] == len(there)


def _everything(server: Server) -> dict[str, dict[str, Any]]:
    notes: dict[str, dict[str, Any]] = {}
    while True:
        page = server.ok(SEARCH, offset=len(notes), limit=200)["fts"]
        notes |= {note["id"]: note for note in page["notes"]}
        if not page["has_more"]:
            assert len(notes) == page["total"]
            return notes


def test_a_folder_holds_all_notes(launch: Launch, home: Home, env: dict[str, str], tmp_path: Path) -> None:
    """Exported, imported into another home, and exported again: the same notes and the same files, both ways once."""
    server, vault, other = launch(), tmp_path / "vault", Home(tmp_path / "other")
    made = [put(server, f"# Note {number}\r\n½\u0000", tags=["a"], metadata={"k": "v"}) for number in range(3)]
    assert _notes(home, env, "export", vault, "--dry-run")["counts"]["created"] == 3
    assert not vault.exists()
    assert _notes(home, env, "export", vault)["counts"]["created"] == 3
    files = {path.name: path.read_bytes() for path in vault.iterdir()}
    assert _notes(home, env, "export", vault)["counts"]["unchanged"] == 3
    assert _notes(other, env, "import", vault)["counts"]["created"] == 3
    assert _notes(other, env, "import", vault)["counts"]["unchanged"] == 3
    there = launch(home=other)
    assert [there.ok(READ, note_id=note["id"]) for note in made] == made
    assert found(there, keyword="note") == found(server, keyword="note")
    _notes(other, env, "export", tmp_path / "again")
    assert {path.name: path.read_bytes() for path in (tmp_path / "again").iterdir()} == files


def test_a_bad_file_is_named(home: Home, env: dict[str, str], tmp_path: Path) -> None:
    """With its reason and exit code 1, while the others come in; a folder that is not there is a failure."""
    done = command(home, env, "notes", "import", str(tmp_path / "nowhere"))
    assert (done.returncode, b"nowhere" in done.stderr) == (1, True)
    (tmp_path / "vault").mkdir()
    (tmp_path / "vault" / "bad.md").write_text("nothing")
    done = command(home, env, "notes", "import", str(tmp_path / "vault"))
    assert done.returncode == 1
    assert done.stdout.decode().splitlines() == [
        "bad.md: it does not begin with front matter between two lines ---",
        "1 failed",
    ]


def test_notes_are_listed_and_searched_from_a_terminal(launch: Launch, home: Home, env: dict[str, str]) -> None:
    """One line a note, and how many there are."""
    server = launch()
    made = [put(server, "alpha\nbeta"), put(server, "gamma")]
    listed = command(home, env, "notes", "list").stdout.decode().splitlines()
    assert [line.split()[0] for line in listed[1:3]] == [made[1]["id"], made[0]["id"]]
    assert listed[-1] == "2 of 2 notes"
    found = json.loads(command(home, env, "notes", "search", "beta", "--json").stdout)
    assert [(note["id"], note["text"]) for note in found["notes"]] == [(made[0]["id"], "alpha beta")]
    assert command(home, env, "notes", "list", "--limit", "0").returncode == 1


def _notes(home: Home, env: Mapping[str, str], *arguments: str | Path) -> dict[str, Any]:
    done = command(home, env, "notes", *map(str, arguments), "--json")
    assert done.returncode == 0, done.stderr.decode()
    facts: dict[str, Any] = json.loads(done.stdout)
    return facts


def test_the_doctor_looks_at_the_notes(home: Home) -> None:
    """How many there are; none at all is no fault, a file that is no database is."""
    assert b"none yet" in command(home, {}, "doctor").stdout
    folder = home.root / "data" / "prioris-mcp" / "notes"
    folder.mkdir(parents=True)
    (folder / "notes.sqlite").write_bytes(b"garbage" * 1000)
    done = command(home, {}, "doctor")
    assert (done.returncode, b"restore it from a copy" in done.stdout) == (1, True)
