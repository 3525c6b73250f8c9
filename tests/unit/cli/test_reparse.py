"""Markdown renewed from the command line, from what is stored and without a network."""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
import subprocess
import sys

import pytest

from prioris_mcp.cli.arguments import parser
from tests.replay.papers import DATA


@pytest.fixture
def run(tmp_path):
    """Run a command in a home of its own, from which no network can be reached."""
    env = os.environ | {"HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path), "XDG_STATE_HOME": "", "COLUMNS": "80"}
    env |= {"HTTPS_PROXY": "http://127.0.0.1:9", "HTTP_PROXY": "http://127.0.0.1:9"}

    def command(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "prioris_mcp", *arguments], env=env, capture_output=True, text=True, check=False
        )

    return command


@pytest.fixture
def outdated(run, tmp_path):
    """The id of a PDF that was parsed, by an older version as its row says, and whose text was another then."""
    added = json.loads(run("add", str(DATA / "pdf" / "sample-paper.pdf"), "--json").stdout)
    name = added[0]["id"]
    run("read", name)
    downloads = tmp_path / "prioris-mcp" / "downloads"
    markdown = next(downloads.rglob("markdown-*"))
    older = b"xylophone" + markdown.read_bytes()[9:]
    markdown.write_bytes(older)
    values = ("liteparse-0+0", hashlib.sha256(older).hexdigest())
    with sqlite3.connect(downloads / "catalogue.sqlite") as catalogue:
        catalogue.execute("UPDATE artefact SET parser = ?, sha256 = ? WHERE artefact = 'markdown'", values)
    catalogue.close()
    return name


def test_old_markdown_is_named_and_renewed(run, outdated):
    """The doctor says which it is, without calling anything broken; afterwards all is up to date."""
    before = run("doctor")
    (line,) = [line for line in before.stdout.splitlines() if line.startswith("markdown")]
    assert f"localfile:{outdated} (pdf) by liteparse-0+0" in line
    assert before.returncode == 0
    done = run("reparse")
    assert done.stdout == f"localfile:{outdated} (pdf): renewed\n1 renewed\n"
    assert "all by the parsers of this version" in run("doctor").stdout
    assert run("reparse").stdout == "every Markdown is up to date\n"


def test_search_follows(run, outdated):
    """What is read and found afterwards is the new text."""
    assert "xylophone" in run("read", outdated, "--limit", "20").stdout
    run("reparse", outdated)
    assert "xylophone" not in run("read", outdated, "--limit", "20").stdout
    words = run("read", outdated).stdout.split()[1]
    hits = json.loads(run("search-library", words, "--json").stdout)["hits"]
    assert hits and all(hit["identifier"] == outdated for hit in hits)


def test_json_and_failures(run, outdated, tmp_path):
    """One fact a document; a document that cannot be parsed again costs exit code 1 and no Markdown."""
    facts = json.loads(run("reparse", "--all", "--json").stdout)
    assert facts["counts"] == {"renewed": 1, "unchanged": 0, "failed": 0}
    (document,) = facts["documents"]
    assert document["identifier"] == outdated
    assert (document["outcome"], document["parser_before"]) == ("renewed", "liteparse-0+0")
    run("delete", outdated, "--artefact", "document")
    failed = run("reparse", outdated)
    assert failed.returncode == 1
    assert "not in the library" in failed.stdout
    assert run("read", outdated, "--limit", "20").returncode == 0


def test_what_was_never_parsed_is_named(run):
    """And so is a contradiction."""
    assert "nothing of arxiv 2106.09685 was parsed yet" in run("reparse", "2106.09685").stderr
    assert "name documents, or say --all" in run("reparse", "--all", "2106.09685").stderr
    assert parser().parse_args(["reparse"]).identifiers == []
