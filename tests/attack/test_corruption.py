"""Every file of a library, damaged in every way: nothing wrong is served, and a repair mends what can be mended."""

from __future__ import annotations

import random
import shutil
import sqlite3
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import apsw
import pytest

from tests.e2e.conftest import LORA, SAMPLE, Launch, environment, launching, pdf_of
from tests.e2e.notes import CREATE, put
from tests.e2e.notes import SEARCH as NOTES
from tests.e2e.process import FETCH, PARSE, Home, Server
from tests.e2e.terminal import command
from tests.replay import StandIn

LIST, FIND, WORDS = "research_list_fetched", "research_find", "research_search_fetched"
NOTE_TEXTS = {f"note {number} about quokkas" for number in range(20)}

Damage = Callable[[Path, random.Random], None]


def _pages(path: Path, chance: random.Random) -> None:
    content = bytearray(path.read_bytes())
    for _ in range(3):
        at = chance.randrange(max(1, len(content) // 4096)) * 4096
        content[at : at + 4096] = chance.randbytes(len(content[at : at + 4096]))
    path.write_bytes(bytes(content))


def _flip(path: Path, chance: random.Random) -> None:
    content = bytearray(path.read_bytes())
    for _ in range(5):
        content[chance.randrange(len(content))] ^= 1 << chance.randrange(8)
    path.write_bytes(bytes(content))


def _swap(path: Path, _: random.Random) -> None:
    path.unlink()
    with closing(sqlite3.connect(path)) as other, other:
        other.execute("CREATE TABLE contact(name TEXT)")
        other.execute("INSERT INTO contact VALUES ('Ada')")


def _lose_tables(path: Path, _: random.Random) -> None:
    with closing(apsw.Connection(str(path))) as db:
        names = [name for (name,) in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
        for name in names:
            if "_" not in name:
                db.execute(f"DROP TABLE {name}")


def _folder(path: Path, _: random.Random) -> None:
    path.unlink()
    path.mkdir()


DAMAGES: dict[str, Damage] = {
    "gone": lambda path, _: path.unlink(),
    "empty": lambda path, _: path.write_bytes(b""),
    "half": lambda path, _: path.write_bytes(path.read_bytes()[: path.stat().st_size // 2]),
    "zeros": lambda path, _: path.write_bytes(bytes(path.stat().st_size)),
    "noise": lambda path, chance: path.write_bytes(chance.randbytes(path.stat().st_size)),
    "head": lambda path, chance: path.write_bytes(chance.randbytes(100) + path.read_bytes()[100:]),
    "pages": _pages,
    "bits": _flip,
    "longer": lambda path, _: path.write_bytes(path.read_bytes() + bytes(5000)),
    "text": lambda path, _: path.write_bytes(b"Dear diary, today nothing happened.\n" * 9),
    "another database": _swap,
    "no tables": _lose_tables,
    "newer": lambda path, _: _newer(path),
    "a folder": _folder,
    "a link to nothing": lambda path, _: (path.unlink(), path.symlink_to("nowhere"))[1],
}
ONLY_DATABASES = {"no tables", "newer"}


def _newer(path: Path) -> None:
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("PRAGMA user_version = 99")


FILES = {
    "catalogue": "downloads/catalogue.sqlite",
    "search": "downloads/search.sqlite3",
    "leases": "downloads/leases.sqlite",
    "document": "downloads/documents/*/pdf/document-*",
    "markdown": "downloads/documents/*/pdf/markdown-*",
    "sidecar": "downloads/documents/*/pdf/metadata.jsonl",
    "notes": "notes/notes.sqlite",
    "notes search": "notes/notes-search.sqlite3",
    "vectors": "vectors/vectors.sqlite3",
    "note vectors": "vectors/notes-vectors.sqlite3",
}
DURABLE = {"catalogue", "notes"}
HOWS = ("removed", "replaced", "emptied folder")


@pytest.fixture(scope="module")
def whole(upstream: StandIn, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A library of a parsed paper and twenty notes, whose servers have ended; and the paper's text."""
    home = Home(tmp_path_factory.mktemp("whole"))
    with launching(home, environment(upstream)) as start:
        server = start()
        server.ok(FETCH, arxiv_id=LORA, format="pdf")
        text = server.ok(PARSE, arxiv_id=LORA, format="pdf", limit=100_000)["markdown"]
        for note in sorted(NOTE_TEXTS):
            put(server, note)
        assert server.ok(NOTES, keyword="quokkas")["fts"]["total"] == len(NOTE_TEXTS)
        server.ok(FIND, query="graph", notes=True)
    for name, pattern in FILES.items():
        assert len(list((home.root / "data" / "prioris-mcp").glob(pattern))) == 1, name
    return home.root, text


FEW = [
    ("catalogue", "pages"),
    ("document", "bits"),
    ("notes", "half"),
    ("search", "newer"),
    ("vectors", "a folder"),
]
"""What every run of the tests tries; ``--attack-rounds 2`` or more tries everything."""
STOLEN = [("catalogue", "removed"), ("notes", "replaced"), ("search", "removed")]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """All cases for a large attack, a few for a small one."""
    large = metafunc.config.getoption("--attack-rounds") > 1
    if "damage" in metafunc.fixturenames:
        every = [(file, damage) for file, path in FILES.items() for damage in DAMAGES if _fits(path, damage)]
        metafunc.parametrize(("file", "damage"), every if large else FEW)
    if "how" in metafunc.fixturenames:
        every = [(file, how) for file, path in FILES.items() if _is_database(path) for how in HOWS]
        metafunc.parametrize(("file", "how"), every if large else STOLEN)


def _is_database(path: str) -> bool:
    return path.endswith((".sqlite", ".sqlite3"))


def _fits(path: str, damage: str) -> bool:
    return damage not in ONLY_DATABASES or _is_database(path)


@pytest.mark.skipif(sys.platform == "win32", reason="links and open files are another matter there")
def test_a_damaged_file_serves_nothing_wrong_and_is_mended(
    whole: tuple[Path, str], tmp_path: Path, standin: StandIn, rounds: int, file: str, damage: str
) -> None:
    """Before a repair each call answers rightly or with one sentence; after it all is as it was, or it says why not."""
    for seed in range(max(1, rounds - 1)):
        chance = random.Random(f"{file} {damage} {seed}")
        home = Home(tmp_path / str(seed))
        shutil.copytree(whole[0], home.root, symlinks=True)
        [path] = (home.root / "data" / "prioris-mcp").glob(FILES[file])
        DAMAGES[damage](path, chance)
        env = environment(standin)
        before = path.read_bytes() if path.is_file() and damage in ("another database", "text", "newer") else None
        with launching(home, env) as start:
            _serves_nothing_wrong(start(), whole[1])
        if before is not None and file in DURABLE:
            assert path.read_bytes() == before
        said = command(home, env, "doctor").stdout.decode()
        repaired = command(home, env, "doctor", "--repair")
        assert b"Traceback" not in repaired.stderr
        if repaired.returncode:
            assert file in DURABLE, repaired.stdout.decode()
            assert "FAILED" in said
            assert any(word in repaired.stdout.decode() for word in ("restore it", "upgrade to read it"))
            continue
        with launching(home, env) as start:
            _is_whole(start(), whole[1], notes_kept=file != "notes" or damage != "gone")
        after = command(home, env, "doctor")
        assert after.returncode == 0, after.stdout.decode()


def _serves_nothing_wrong(server: Server, text: str) -> None:
    for tool, arguments in (
        (LIST, {}),
        (PARSE, {"arxiv_id": LORA, "format": "pdf", "limit": 100_000}),
        (WORDS, {"query": "graph"}),
        (FIND, {"query": "graph", "notes": True}),
        (NOTES, {}),
        (NOTES, {"keyword": "quokkas"}),
    ):
        result = server.call(tool, arguments)
        if result["isError"]:
            code = result["_meta"]["prioris-mcp/error"]["code"]
            sentence = result["content"][0]["text"]
            assert code in ("storage_failed", "not_found"), sentence
            assert str(server.home.root) not in sentence
        elif tool == PARSE:
            assert result["structuredContent"]["markdown"] == text
        elif tool == NOTES:
            shown = {note["text"] for note in result["structuredContent"]["fts"]["notes"]}
            assert shown <= NOTE_TEXTS
    assert "Traceback" not in server.stderr


def _is_whole(server: Server, text: str, *, notes_kept: bool) -> None:
    """All that was there is there, or was let go as a whole and comes back by a fetch."""
    server.ok(FETCH, arxiv_id=LORA, format="pdf")
    assert pdf_of(server, LORA) == SAMPLE
    assert server.ok(PARSE, arxiv_id=LORA, format="pdf", limit=100_000)["markdown"] == text
    assert server.ok(WORDS, query="graph")["fts"]["total"] > 0
    found = server.ok(FIND, query="graph")
    assert found["hits"]
    made = server.ok(CREATE, provider="arxiv", identifier=LORA, text="afterwards about quokkas")
    total = server.ok(NOTES, keyword="quokkas")["fts"]["total"]
    assert total == (len(NOTE_TEXTS) if notes_kept else 0) + 1
    assert server.ok("research_notes_delete", note_id=made["id"])


@pytest.mark.skipif(sys.platform == "win32", reason="Windows lets nobody take an open file away")
def test_a_file_stolen_under_a_running_server_takes_no_acknowledged_write(
    whole: tuple[Path, str], tmp_path: Path, launch: Launch, home: Home, file: str, how: str
) -> None:
    """Each note and document that is acknowledged afterwards is there in the next server, however the file went."""
    shutil.copytree(whole[0], home.root, symlinks=True, dirs_exist_ok=True)
    [path] = (home.root / "data" / "prioris-mcp").glob(FILES[file])
    shutil.copy2(path, tmp_path / "backup")
    server, other = launch(), launch()
    for each in (server, other):
        each.ok(NOTES, keyword="quokkas")
        each.ok(WORDS, query="graph")
    if how == "removed":
        path.unlink()
    elif how == "replaced":
        (tmp_path / "backup").replace(path)
    else:
        shutil.rmtree(path.parent)
        path.parent.mkdir()
    acknowledged = []
    for number, each in enumerate((server, other, server, other)):
        made = each.call(CREATE, {"provider": "arxiv", "identifier": LORA, "text": f"late {number}"})
        if not made["isError"]:
            acknowledged.append(made["structuredContent"]["id"])
        else:
            assert made["_meta"]["prioris-mcp/error"]["code"] == "storage_failed"
        for tool, arguments in ((WORDS, {"query": "graph"}), (NOTES, {"keyword": "quokkas"}), (LIST, {})):
            answer = each.call(tool, arguments)
            if answer["isError"]:
                assert file in DURABLE or how == "emptied folder"
                assert answer["_meta"]["prioris-mcp/error"]["code"] == "storage_failed"
    fresh = launch()
    for note_id in acknowledged:
        assert fresh.ok("research_notes_read", note_id=note_id)["id"] == note_id
    if file != "notes" and not (how == "emptied folder" and file == "notes search"):
        assert len(acknowledged) == 4
