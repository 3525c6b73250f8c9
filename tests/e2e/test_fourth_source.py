"""A source that the page about extending adds in one file is one as the others are: the file is taken from there."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.conftest import environment, launching
from tests.e2e.process import FETCH, PARSE, Home, RpcError, Server
from tests.replay import StandIn

PAGE = Path(__file__).resolve().parent.parent.parent / "docs" / "extending.md"
GAZETTE_FETCH, GAZETTE_PARSE = "research_gazette_fetch_full_text", "research_gazette_parse_full_text"
SPELLINGS = [
    *("gazette-7", "Gazette-7", "gazette: 7", "urn:gazette:7", "https://gazette.example/issues/7", "10.5555/Gazette.7")
]
PROGRAM = re.compile(r"^```python\n(\"{3}The Gazette.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example of the page, as a file."""
    (example,) = PROGRAM.findall(PAGE.read_text("utf-8"))
    path = tmp_path_factory.mktemp("gazette") / "gazette.py"
    path.write_text(example, "utf-8")
    return path


@pytest.fixture(scope="module")
def gazette(upstream: StandIn, program: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The server with the fourth source."""
    with launching(Home(tmp_path_factory.mktemp("home")), environment(upstream)) as start:
        yield start(program=(sys.executable, str(program)))


def command(gazette: Server, program: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """A command for people, of the same program over the same library."""
    return subprocess.run(
        [sys.executable, str(program), *arguments], env=gazette.home.env(), capture_output=True, text=True, check=False
    )


def test_it_is_fetched_read_found_and_noted(gazette: Server) -> None:
    """The whole way, by five tools."""
    fetched = gazette.ok(GAZETTE_FETCH, identifier="gazette: 7")
    assert (fetched["resource_uri"], fetched["format"]) == ("research://gazette/gazette-7/html/fulltext", "html")
    read = gazette.ok(GAZETTE_PARSE, identifier="gazette-7")
    assert read["markdown"].startswith("# The Gazette, 7\n\n## Tides\n\nThe moon")
    (hit,) = gazette.ok("research_find", query="what draws the sea", provider="gazette")["hits"]
    assert (hit["provider"], hit["identifier"], hit["section_path"][-1]) == ("gazette", "gazette-7", "Tides")
    note = gazette.ok("research_notes_create", provider="gazette", identifier="GAZETTE-7", text="The moon did it.")
    assert note["canonical_identifier"] == "gazette-7"
    noted = gazette.ok("research_notes_search", provider="gazette", canonical_identifier="10.5555/gazette.7")
    assert [found["id"] for found in noted["fts"]["notes"]] == [note["id"]]


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_its_identifiers_are_understood_everywhere(gazette: Server, spelling: str) -> None:
    """By its own tools, and by those that look at everything."""
    assert gazette.ok(GAZETTE_FETCH, identifier=spelling)["resource_uri"].startswith("research://gazette/gazette-7/")
    if "10.5555" not in spelling:  # nobody at doi.org knows it
        found = gazette.ok("research_resolve_identifier", identifier=spelling)["result"]
        assert (found["provider"], found["identifier"], found["formats"]) == ("gazette", "gazette-7", ["html"])
        assert found["next_step"] == f"{GAZETTE_FETCH}(identifier='gazette-7')"


def test_its_errors_are_those_of_the_others(gazette: Server) -> None:
    """They name its tools, and the tools of the others name it."""
    code, sentence = gazette.fails(GAZETTE_PARSE, identifier="gazette-8")
    assert code == "not_found"
    assert sentence.endswith(f": gazette gazette-8 (html) is not in the library: call {GAZETTE_FETCH} first")
    assert gazette.fails(GAZETTE_FETCH, identifier="gazette-9")[0] == "not_found"
    assert gazette.fails(GAZETTE_FETCH, identifier="2106.09685")[1].endswith("; the research_arxiv_* tools take it")
    assert gazette.fails(FETCH, arxiv_id="gazette-7")[1].endswith("; the research_gazette_* tools take it")
    assert "gazette-7, a DOI" in gazette.fails("research_resolve_identifier", identifier="nothing")[1]
    with pytest.raises(RpcError, match=r"there is arxiv, europepmc, localfile, gazette$"):
        gazette.read("research://nowhere/x/html/markdown")
    with pytest.raises(RpcError, match="The Gazette offers html, not pdf; give format='html'"):
        gazette.read("research://gazette/gazette-7/pdf/markdown")


def test_its_tools_are_told_what_goes_without_saying(gazette: Server) -> None:
    """Its name and its one format are no unknown arguments, and another's are."""
    assert "warnings" not in gazette.ok(GAZETTE_FETCH, identifier="gazette-7", provider="gazette", format="html")
    assert gazette.ok(GAZETTE_FETCH, identifier="gazette-7", provider="arxiv")["warnings"]


def test_it_is_listed_and_deleted(gazette: Server) -> None:
    """Alone, by its name, as the others' documents are theirs."""
    gazette.ok(GAZETTE_FETCH, identifier="gazette-8")
    gazette.ok(FETCH, arxiv_id="2106.09685")
    gazette.ok(PARSE, arxiv_id="2106.09685")
    listed = gazette.ok("research_list_fetched", provider="gazette")["entries"]
    assert {entry["identifier"] for entry in listed} >= {"gazette-8"}
    assert {entry["provider"] for entry in listed} == {"gazette"}
    gone = gazette.ok(
        "research_delete_fetched", entries=[{"provider": "gazette", "identifier": "gazette: 8", "artefact": "all"}]
    )
    assert [entry["format"] for entry in gone["deleted"]] == ["html"]
    assert gazette.ok("research_list_fetched", provider="arxiv")["total"] == 2


def test_people_reach_it_as_well(gazette: Server, program: Path) -> None:
    """Commands take its name, see from an identifier that it is meant, and know its usual format."""
    assert command(gazette, program, "read", "gazette-8").stderr == (
        "prioris-mcp: gazette gazette-8 (html) is not in the library: call prioris-mcp fetch gazette-8 --format html"
        " first\n"
    )
    assert "gazette:gazette-8 (html): fetched" in command(gazette, program, "fetch", "gazette: 8").stdout
    listed = json.loads(command(gazette, program, "list", "--provider", "gazette", "--json").stdout)
    assert "gazette-8" in {entry["identifier"] for entry in listed["entries"]}


def test_its_group_of_tools_can_be_the_only_one(upstream: StandIn, program: Path, tmp_path: Path) -> None:
    """A group has the name of its source."""
    env = {**environment(upstream), "PRIORIS_MCP_TOOLSETS": "gazette"}
    with launching(Home(tmp_path / "home"), env) as start:
        tools = start(program=(sys.executable, str(program))).request("tools/list")["tools"]
    assert [tool["name"] for tool in tools] == [GAZETTE_FETCH, GAZETTE_PARSE]
