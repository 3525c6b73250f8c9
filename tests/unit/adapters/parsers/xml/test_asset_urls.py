"""Pictures and files that a document names get the address where its source shows them."""

from __future__ import annotations

import pytest

from prioris_mcp.adapters.parsers.html.document import parse as parse_html
from prioris_mcp.adapters.parsers.jats.document import parse as parse_jats
from tests.unit.adapters.parsers.jats.nlm import article

AT_ARXIV = "https://arxiv.org/html/1706.03762v7/"
AT_EUROPE_PMC = "https://europepmc.org/articles/PMC3585041/bin/"


def shown(source: str, files_at: str) -> str:
    """The picture of an HTML page."""
    page = f'<article><h1>T</h1><p>text</p><p><img src="{source}" alt="A"></p></article>'
    return parse_html(page.encode(), {"files_at": files_at}, lambda done, total: None).text.splitlines()[-1]


@pytest.mark.parametrize(
    ("source", "address"),
    [
        ("Figures/one.png", f"{AT_ARXIV}Figures/one.png"),
        ("1706.03762v7/x1.png", f"{AT_ARXIV}x1.png"),
        ("/static/logo.png", "https://arxiv.org/static/logo.png"),
        ("https://example.org/x.png", "https://example.org/x.png"),
    ],
)
def test_pictures_of_a_page(source: str, address: str) -> None:
    """Below its folder, whether or not they name it themselves."""
    assert shown(source, AT_ARXIV) == f"![A]({address})"
    assert shown(source, "") == f"![A]({source})"


@pytest.mark.parametrize(
    ("name", "file"),
    [("p.g001", "p.g001.jpg"), ("p-g002.tif", "p-g002.jpg"), ("f3.gif", "f3.gif"), ("http://a.example/f", None)],
)
def test_pictures_of_an_article(name: str, file: str | None) -> None:
    """As the source shows them, not as they were printed."""
    source = article(f'<fig><label>Fig 1</label><graphic xlink:href="{name}"/></fig>').encode()
    text = parse_jats(source, {"files_at": AT_EUROPE_PMC}, lambda done, total: None).text
    assert f"![Fig 1]({AT_EUROPE_PMC}{file})" in text if file else f"![Fig 1]({name})" in text


def test_files_of_an_article() -> None:
    """Under their own names."""
    source = article('<supplementary-material xlink:href="s1.pdf"><label>S1</label></supplementary-material>').encode()
    text = parse_jats(source, {"files_at": AT_EUROPE_PMC}, lambda done, total: None).text
    assert f"[`s1.pdf`]({AT_EUROPE_PMC}s1.pdf)" in text
