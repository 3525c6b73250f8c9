"""The command line, as a person meets it."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from prioris_mcp import __version__
from prioris_mcp.cli.terminal import table
from prioris_mcp.wiring import diagnosis
from tests.replay import running


@pytest.fixture(scope="module")
def stand_in():
    """The network of all tests here."""
    with running() as found:
        yield found


@pytest.fixture
def run(stand_in, tmp_path):
    """Run a command in a home of its own; its result."""
    env = os.environ | stand_in.env()
    env |= {"HOME": str(tmp_path), "XDG_DATA_HOME": "", "XDG_STATE_HOME": "", "COLUMNS": "80"}
    env["PRIORIS_MCP_REQUEST_SPACING_SECONDS"] = "0.01"

    def command(*arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "prioris_mcp", *arguments],
            env=env | more,
            capture_output=True,
            text=True,
            check=False,
            stdin=subprocess.DEVNULL,
        )

    return command


def test_version(run):
    """Name and number."""
    assert run("--version").stdout == f"prioris-mcp {__version__}\n"


def test_a_paper_is_found_fetched_read_and_listed(run):
    """The whole way, each command on its own."""
    found = run("search", 'ti:"attention is all you need"')
    assert "1706.03762v7" in found.stdout
    assert found.stdout.endswith("1 of 1 papers\n")
    assert "fetched" in run("fetch", "1706.03762").stdout
    assert "in the library already" in run("fetch", "1706.03762").stdout
    read = run("read", "1706.03762", "--page", "2", "--limit", "100")
    assert read.stdout.startswith("## 2 Related Work")
    assert "pages 2 to 2 of 6; go on with --offset" in read.stderr
    listed = json.loads(run("list", "--json").stdout)
    assert [(entry["identifier"], entry["artefact"]) for entry in listed["entries"]] == [
        ("1706.03762v7", "markdown"),
        ("1706.03762v7", "document"),
    ]


def test_json_is_json(run):
    """Every command that promises it."""
    assert json.loads(run("search", "ti:attention", "--json").stdout)["total_results"] > 0
    assert json.loads(run("fetch", "2106.09685", "--format", "html", "--json").stdout)["identifier"] == "2106.09685v2"
    assert json.loads(run("read", "2106.09685", "--format", "html", "--json").stdout)["markdown"].startswith("# LoRA")


def test_failures_are_one_sentence_with_a_way_on(run):
    """On standard error, with exit code 1 and no traceback."""
    unread = run("read", "2106.09685")
    assert (unread.returncode, unread.stdout) == (1, "")
    assert "is not in the library: call prioris-mcp fetch 2106.09685 --format pdf first" in unread.stderr
    assert unread.stderr.count("\n") == 1
    unknown = run("fetch", "9999.99999")
    assert unknown.stderr.startswith(
        "prioris-mcp: arXiv identifier not recognised: 9999.99999: arXiv knows no such paper;"
    )


def test_a_wrong_setting_is_one_line(run):
    """With exit code 2, before anything is done."""
    done = run("list", PRIORIS_MCP_PORT="80")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "PRIORIS_MCP_PORT='80'" in done.stderr


def test_doctor_finds_a_sound_installation(run):
    """A line each, exit code 0, and no secret in it."""
    done = run("doctor", PRIORIS_MCP_OPENALEX_API_KEY="k-secret", TESSDATA_PREFIX="")
    assert done.returncode == 0
    assert "k-secret" not in done.stdout
    names = [line.split("  ")[0] for line in done.stdout.splitlines()]
    assert {"python", "sqlite", "storage_dir", "notes_dir", "ocr", "embedding model", "openalex key"} <= set(names)


def test_doctor_changes_nothing(run, tmp_path):
    """It looks only."""
    run("doctor")
    assert list(tmp_path.iterdir()) == []


def test_doctor_says_what_is_broken(run, tmp_path):
    """A folder that cannot be written is FAILED, and the exit code is 1."""
    (tmp_path / "file").write_text("")
    done = run("doctor", PRIORIS_MCP_STORAGE_DIR=str(tmp_path / "file" / "below"))
    assert done.returncode == 1
    assert any(line.startswith("storage_dir") and "FAILED" in line for line in done.stdout.splitlines())


def test_ocr_data_is_looked_for(tmp_path):
    """Off, not there, incomplete, or ready: each in its own words."""
    assert diagnosis.ocr(enabled=False, folder=tmp_path, language="eng").ok is None
    assert diagnosis.ocr(enabled=True, folder=None, language="eng").ok is None
    (tmp_path / "eng.traineddata").touch()
    assert "deu" in diagnosis.ocr(enabled=True, folder=tmp_path, language="eng+deu").text
    assert diagnosis.ocr(enabled=True, folder=tmp_path, language="eng").ok is True
    server = diagnosis.ocr(enabled=True, folder=None, language="eng", server="https://u:k-1@ocr.example/x?token=k-2")
    assert server.text == "eng by the server at ocr.example, which gets the scanned pages"


def test_a_missing_ability_of_sqlite_is_named():
    """So that a person knows what to install."""
    assert diagnosis.sqlite("SQLite 3", ["ENABLE_FTS5"]).ok is False
    assert diagnosis.module("x", "no_such_package").ok is False


def test_output_that_nobody_reads_is_no_failure():
    """As with `| head`: no traceback, and the exit code that a shell would give."""
    reading, writing = os.pipe()
    os.close(reading)
    command = [sys.executable, "-m", "prioris_mcp", "completion", "bash"]
    done = subprocess.run(command, stdout=writing, stderr=subprocess.PIPE, text=True, check=False)
    os.close(writing)
    assert (done.returncode, done.stderr) == (141, "")


def test_tables_are_aligned():
    """Columns as wide as their widest cell, nothing behind the last."""
    assert table([["a", "bb", "c"], ["aaa", "b", ""]]) == "a    bb  c\naaa  b"
