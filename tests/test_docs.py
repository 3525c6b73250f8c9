"""The documentation: every link leads somewhere, and what it says of the code is so."""

from __future__ import annotations

import importlib
import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
import yaml

from prioris_mcp.adapters.arxiv import ar5iv
from prioris_mcp.adapters.arxiv import provider as arxiv
from prioris_mcp.adapters.doi import resolver as doi
from prioris_mcp.adapters.europepmc import provider as europepmc
from prioris_mcp.adapters.openalex import client as openalex
from prioris_mcp.cli import arguments
from scripts import check_site
from tests.unit.adapters.parsers.html import latexml
from tests.unit.adapters.parsers.jats import nlm

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
PAGES = sorted([*DOCS.rglob("*.md"), ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "benchmarks" / "README.md"])
PICTURES = sorted(DOCS.rglob("*.svg"))
FENCES = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)


def prose(page: Path) -> str:
    """A page without its blocks of code."""
    return FENCES.sub("", page.read_text("utf-8"))


def anchors(page: Path) -> set[str]:
    """Those of a page's headings, as both GitHub and the site make them."""
    headings = re.findall(r"^#+ (.+)$", prose(page), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_leads_somewhere(page):
    """To a file of the repository, and to a heading in it where one is named."""
    for link in re.findall(r"\]\(([^)\s]+)\)", prose(page)):
        place, _, anchor = link.partition("#")
        if "://" in place:
            continue
        target = (page.parent / place).resolve() if place else page
        assert target.exists(), link
        assert not anchor or anchor in anchors(target), link


def test_every_page_is_in_the_navigation():
    """But for the single decisions, which have a page of their own that lists them."""
    config = (ROOT / "mkdocs.yml").read_text("utf-8")
    named = set(re.findall(r": ([\w/-]+\.md)$", config, re.MULTILINE))
    assert named == {str(page.relative_to(DOCS)) for page in DOCS.glob("*.md")} | {"adr/README.md"}
    listed = (DOCS / "adr" / "README.md").read_text("utf-8")
    assert [page.name for page in DOCS.glob("adr/0*.md") if f"({page.name})" not in listed] == []


@pytest.mark.parametrize(("section", "convert"), [("HTML", latexml.convert), ("JATS", nlm.convert)])
def test_the_page_about_markdown_shows_what_the_parsers_write(section, convert):
    """Every row of its tables."""
    page = (DOCS / "markdown.md").read_text("utf-8")
    rows = re.findall(r"^\| `(.+)` \| `(.+)` \|$", page.split(f"## {section}")[1].split("## ")[0], re.MULTILINE)
    assert len(rows) == 6
    assert [(source, convert(f"<p>{source}</p>")) for source, _ in rows] == rows


def test_the_site_fetches_nothing_from_elsewhere():
    """No fonts, scripts, styles or pictures of another host; no diagram that needs a library to be drawn."""
    config = yaml.safe_load((ROOT / "mkdocs.yml").read_text("utf-8"))
    assert config["theme"]["font"] is False
    assert not {"extra_javascript", "extra_css"} & set(config)
    for page in DOCS.rglob("*.md"):
        text = page.read_text("utf-8")
        assert "```mermaid" not in text
        assert not re.search(r"!\[[^\]]*\]\(\w+://|<(?:script|img|iframe)", text), page.name


@pytest.mark.parametrize("picture", PICTURES, ids=lambda picture: picture.name)
def test_pictures_stand_alone(picture):
    """Well-formed, described for those who do not see them, and without a reference to anywhere else."""
    root = ET.parse(picture).getroot()
    names = [element.tag.rpartition("}")[2] for element in root.iter()]
    assert {"title", "desc"} <= set(names)
    assert not {"script", "image", "foreignObject"} & set(names)
    assert "href" not in picture.read_text("utf-8")


def test_the_hosts_are_those_of_the_sources():
    """Somebody opens a firewall for exactly these."""
    table = (DOCS / "security.md").read_text("utf-8").partition("## Hosts")[2]
    rows = dict(re.findall(r"^\| ([\w ]+) \| (`.+`) \|$", table, re.MULTILINE))
    told = {name: set(re.findall(r"`([^`]+)`", hosts)) for name, hosts in rows.items()}
    assert told == {
        "arXiv": arxiv.HOSTS | {ar5iv.HOST, "PRIORIS_MCP_AR5IV=false"},
        "Europe PMC": europepmc.HOSTS,
        "OpenAlex": openalex.HOSTS,
        "DOIs": doi.HOSTS,
    }


def test_every_client_that_setup_knows_has_its_row():
    """With the name to type."""
    text = (DOCS / "clients.md").read_text("utf-8")
    assert [name for name in arguments.CLIENTS if f"| `{name}` |" not in text] == []


def test_a_fault_of_the_site_is_found(tmp_path, monkeypatch, capsys):
    """A link that leads nowhere, an anchor that is not there, and what is fetched from elsewhere."""
    page = '<a id="x"></a><a href="#x"></a><a href="b.html#y"></a><a href="c.html"></a><script src="//h/s.js"></script>'
    (tmp_path / "a.html").write_text(page)
    (tmp_path / "b.html").write_text('<link rel="stylesheet" href="https://fonts.example/f.css"><p class="mermaid">')
    monkeypatch.setattr(sys, "argv", ["check_site", str(tmp_path)])
    assert check_site.main() == 1
    assert capsys.readouterr().out.splitlines() == [
        "a.html fetches //h/s.js",
        "a.html links to b.html#y, which is not there",
        "a.html links to c.html, which is not there",
        "b.html fetches https://fonts.example/f.css",
        "b.html fetches library:mermaid",
    ]


def test_a_whole_site_passes(tmp_path):
    """And an empty folder does not."""
    (tmp_path / "index.html").write_text('<a href="index.html">Home</a>')
    command = [sys.executable, "-m", "scripts.check_site"]
    assert subprocess.run([*command, str(tmp_path)], cwd=ROOT, check=False, capture_output=True).returncode == 0
    assert subprocess.run([*command, str(DOCS)], cwd=ROOT, check=False, capture_output=True).returncode == 1


NAMES = (DOCS / "names.md").read_text("utf-8")


@pytest.mark.parametrize("place", sorted(set(re.findall(r"`(prioris_mcp[\w.]+:\w+)`", NAMES))))
def test_what_a_name_of_the_specification_stands_for_is_there(place):
    """In the module that the page says."""
    module, name = place.split(":")
    assert hasattr(importlib.import_module(module), name)


def test_a_name_of_the_specification_has_a_test():
    """One that is there; and the names that are kept as they are need no row."""
    shown = re.findall(r"`(tests/[\w/.]+)`", NAMES)
    assert len(shown) > 8
    assert [path for path in shown if path != "tests/" and not (ROOT / path).exists()] == []
