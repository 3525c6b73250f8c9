"""A server killed at any moment: what it acknowledged is there, and what it acknowledged as deleted is not."""

from __future__ import annotations

import base64
import itertools
import json
import random
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil
import pytest

from tests.e2e.conftest import SAMPLE, Launch
from tests.e2e.notes import CREATE, UPDATE
from tests.e2e.notes import DELETE as FORGET
from tests.e2e.notes import SEARCH as FIND
from tests.e2e.process import Home, Server, structured
from tests.e2e.terminal import command
from tests.e2e.waiting import until
from tests.unit.adapters.parsers.pdf.tiny_pdf import pdf, stream, text

ADD, READ = "research_localfile_fetch_full_text", "research_localfile_parse_full_text"
BEGIN, CHUNK = "research_localfile_begin_upload", "research_localfile_upload_chunk"
FINISH, DELETE = "research_localfile_finalize_upload", "research_delete_fetched"
LONGEST = 1.2
"""Seconds of one life: long enough for each operation to be begun, and most to be ended."""
ACTORS = 3


@dataclass
class Thing:
    """A document or a note, and what is known of it: *certain* until something about it was asked and not answered."""

    content: str
    there: bool = True
    certain: bool = True
    parsed: bool = False


@dataclass
class Actor:
    """Asks for one thing after another, each of which is its own, and remembers what was acknowledged."""

    number: int
    chance: random.Random
    documents: dict[str, Thing] = field(default_factory=dict)
    notes: dict[str, Thing] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)
    made: itertools.count[int] = field(default_factory=itertools.count)

    def live(self, server: Server, stop: threading.Event) -> None:
        """Until the server is killed."""
        while not stop.is_set():
            self.chance.choice(self._possible())(server)

    def _possible(self) -> list[Any]:
        held = any(thing.there and thing.certain for thing in self.documents.values())
        noted = any(thing.there and thing.certain for thing in self.notes.values())
        few = [self._add, self._upload, self._note]
        return few + [self._parse, self._parse, self._delete] * held + [self._change, self._forget] * noted

    def _ask(self, server: Server, name: str, /, **arguments: Any) -> Any:
        """The answer's fields; None where there was none."""
        try:
            answer = server.begin(name, **arguments).result(30)
        except ConnectionError:
            return None
        self.counts[name] = self.counts.get(name, 0) + 1
        return structured(answer)

    def _bytes(self) -> bytes:
        return SAMPLE + f"\n% {self.number} {next(self.made)}\n%%EOF\n".encode()

    def _add(self, server: Server) -> None:
        content = base64.b64encode(self._bytes()).decode()
        if done := self._ask(server, ADD, content_base64=content):
            self.documents[done["id"]] = Thing(content)

    def _upload(self, server: Server) -> None:
        content = self._bytes()
        half = len(content) // 2
        session = (self._ask(server, BEGIN) or {}).get("session_id")
        for index, part in enumerate((content[:half], content[half:])):
            packed = base64.b64encode(part).decode()
            if not session or not self._ask(server, CHUNK, session_id=session, index=index, chunk_base64=packed):
                return
        if done := self._ask(server, FINISH, session_id=session):
            self.documents[done["id"]] = Thing(base64.b64encode(content).decode())

    def _parse(self, server: Server) -> None:
        name, thing = self._any(self.documents)
        if self._ask(server, READ, id=name, limit=10):
            thing.parsed = True

    def _delete(self, server: Server) -> None:
        name, thing = self._any(self.documents)
        thing.certain = False
        entry = {"provider": "localfile", "identifier": name, "format": "pdf", "artefact": "all"}
        if self._ask(server, DELETE, entries=[entry]):
            thing.there, thing.certain = False, True

    def _note(self, server: Server) -> None:
        text = f"note {self.number} {next(self.made)}"
        if made := self._ask(server, CREATE, provider="arxiv", identifier="2106.09685", text=text):
            self.notes[made["id"]] = Thing(text)

    def _change(self, server: Server) -> None:
        name, thing = self._any(self.notes)
        text = f"changed {self.number} {next(self.made)}"
        before, thing.certain = thing.content, False
        if self._ask(server, UPDATE, note_id=name, text=text):
            thing.content, thing.certain = text, True
        else:
            thing.content = json.dumps([before, text])

    def _forget(self, server: Server) -> None:
        name, thing = self._any(self.notes)
        thing.certain = False
        if self._ask(server, FORGET, note_id=name) is not None:
            thing.there, thing.certain = False, True

    def _any(self, things: dict[str, Thing]) -> tuple[str, Thing]:
        return self.chance.choice([(name, thing) for name, thing in things.items() if thing.there and thing.certain])

    def check(self, server: Server) -> None:
        """Everything that is certain is as it was acknowledged; what is found out becomes certain."""
        for name, thing in self.documents.items():
            found = server.call("research_list_fetched", {"provider": "localfile", "limit": 1000})
            listed = {entry["identifier"] for entry in structured(found)["entries"]}
            if thing.certain:
                assert (name in listed) == thing.there, name
            thing.there, thing.certain = name in listed, True
            if thing.there:
                blob = server.read(f"research://localfile/{name}/pdf/fulltext")["blob"]
                assert blob == thing.content
        for name, thing in self.notes.items():
            found = server.call("research_notes_read", {"note_id": name})
            there = not found["isError"]
            if thing.certain:
                assert there == thing.there, name
            text = structured(found)["text"] if there else ""
            if there and thing.certain:
                assert text == thing.content
            elif there and thing.content.startswith("["):
                assert text in json.loads(thing.content)
            thing.there, thing.certain, thing.content = there, True, text or thing.content


@pytest.mark.skipif(sys.platform == "win32", reason="SIGKILL is not there")
def test_nothing_acknowledged_is_lost(launch: Launch, tmp_path: Path, rounds: int) -> None:
    """Three users at once, killed again and again; at the end nothing is left to mend, and no process lives on."""
    for number in range(rounds):
        _kill_again_and_again(launch, Home(tmp_path / str(number)), 3 if rounds == 1 else 30, number)


def _kill_again_and_again(launch: Launch, home: Home, kills: int, seed: int) -> None:
    chance = random.Random(seed)
    actors = [Actor(number, random.Random(seed * ACTORS + number)) for number in range(ACTORS)]
    for _ in range(kills):
        server, stop = launch(home=home), threading.Event()
        if chance.random() < 0.8:  # else it is killed while it starts, and cleans up
            server.request("tools/list")
        with ThreadPoolExecutor(ACTORS) as pool:
            for checked in [pool.submit(actor.check, server) for actor in actors]:
                checked.result()
            lives = [pool.submit(actor.live, server, stop) for actor in actors]
            time.sleep(chance.uniform(0, LONGEST))
            stop.set()
            children = psutil.Process(server.pid).children(recursive=True)
            server.kill()
            for life in lives:
                life.result()
        psutil.wait_procs(children, 10)
        assert not [child for child in children if child.is_running() and child.status() != psutil.STATUS_ZOMBIE]
    server = launch(home=home)
    for actor in actors:
        actor.check(server)
    total = sum(actor.counts.get(name, 0) for actor in actors for name in (ADD, FINISH, DELETE, CREATE, UPDATE))
    assert total > kills
    server.close()
    server.wait()
    assert command(home, {}, "doctor").returncode == 0


@pytest.mark.parametrize("artefact", ["all", "document", "markdown"])
def test_a_delete_that_was_acknowledged_during_a_parse_holds(
    launch: Launch, home: Home, rounds: int, artefact: str
) -> None:
    """At any moment of the parse: afterwards nothing of what was deleted is listed, found, or on the disk."""
    server = launch({"PRIORIS_MCP_PARSE_MAX_CONCURRENCY": "1"})
    server.initialize()
    for number in range(1 if rounds == 1 else 15 * rounds):
        content = base64.b64encode(_long_pdf(number)).decode()
        name = server.ok(ADD, content_base64=content)["id"]
        parse = server.begin(READ, id=name, limit=10)
        time.sleep(random.Random(number).uniform(0, 0.6))
        entry = {"provider": "localfile", "identifier": name, "format": "pdf", "artefact": artefact}
        gone = {each["artefact"] for each in server.ok(DELETE, entries=[entry])["deleted"]}
        parse.result(60)
        listed = {
            each["artefact"]
            for each in server.ok("research_list_fetched", provider="localfile")["entries"]
            if each["identifier"] == name
        }
        if gone:
            assert not listed & ({"document", "markdown"} if artefact == "all" else {artefact}), number
        if "document" not in listed:
            assert "markdown" not in listed or artefact == "document"
        if "markdown" not in listed:
            scope = {"provider": "localfile", "identifier": name, "format": "pdf"}
            assert server.ok("research_search_fetched", query="xylophone", **scope)["fts"]["total"] == 0
        server.ok(DELETE, entries=[{**entry, "artefact": "all"}])
    documents = home.store / "documents"
    assert [path for path in documents.rglob("*") if path.is_file()] == []


def _long_pdf(number: int) -> bytes:
    """Many pages of one line, so that a parse takes a while."""
    return pdf(*(stream(text(f"xylophone {number} {page}")) for page in range(120)))


def test_a_document_is_embedded_or_deleted_and_never_both(launch: Launch, rounds: int) -> None:
    """Deleted at any moment of its embedding, it is near to nothing, and stays so."""
    server = launch()
    server.initialize()
    for number in range(1 if rounds == 1 else 10 * rounds):
        name = server.ok(ADD, content_base64=base64.b64encode(_long_pdf(number)).decode())["id"]
        server.ok(READ, id=name, limit=10)
        time.sleep(random.Random(number).uniform(0, 1.0))
        entry = {"provider": "localfile", "identifier": name, "format": "pdf", "artefact": "all"}
        server.ok(DELETE, entries=[entry])
        for _ in range(2):
            found = server.ok("research_search_fetched", query="xylophone", mode="vector")["vector"]
            assert (found["total"], found["matches"]) == (0, []), number
            time.sleep(0.2)


def test_a_note_deleted_during_an_import_stays_deleted(launch: Launch, home: Home, tmp_path: Path) -> None:
    """Of many notes that a command imports, those that are deleted meanwhile do not come back."""
    server = launch()
    server.initialize()
    kept = [server.ok(CREATE, provider="arxiv", identifier="2106.09685", text=f"n {n}")["id"] for n in range(30)]
    vault = tmp_path / "vault"
    assert command(home, {}, "notes", "export", str(vault)).returncode == 0
    for path in list(vault.iterdir()):
        for copy in range(40):
            text = path.read_text("utf-8")
            note_id = text.split('id: "', 1)[1][:16]
            fresh = f"{int(note_id, 16) ^ (copy + 1):016x}"
            (vault / f"{copy}-{path.name}").write_text(text.replace(note_id, fresh, 1), "utf-8")
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(command, home, {}, "notes", "import", str(vault))
        until(lambda: server.ok(FIND, limit=1)["fts"]["total"] > len(kept), 60)
        gone = [note_id for note_id in kept[:5] if server.call(FORGET, {"note_id": note_id}) and not running.done()]
        assert running.result().returncode == 0
    assert [
        note_id for note_id in gone if not server.call("research_notes_read", {"note_id": note_id})["isError"]
    ] == []
