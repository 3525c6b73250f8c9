"""Accents go with their letters, on whichever side of them a document sets them."""

from __future__ import annotations

import pytest

from prioris_mcp.adapters.parsers.pdf.blocks import Block, Layout
from prioris_mcp.adapters.parsers.pdf.passes.accents import compose_accents


def composed(*texts: str) -> list[str]:
    """The paragraphs of a document after the rule."""
    page = Layout([Block("paragraph", text) for text in texts])
    compose_accents([page])
    return [block.text for block in page.blocks]


@pytest.mark.parametrize(
    ("found", "meant"),
    [
        ("Poincar´e and K¨ahler", "Poincaré and Kähler"),
        ("the Lemaˆıtre model", "the Lemaître model"),
        ("Ste´phane", "Stéphane"),
        ("Universite´ de Lyon", "Université de Lyon"),
        ("Fundac¸ão", "Fundação"),
        ("Krasi´nski, ˇCech, x¨x", "Krasiński, Čech, x¨x"),
    ],
)
def test_an_accent_joins_its_letter(found: str, meant: str) -> None:
    """Before it as TeX sets them, after it as others do; one that no letter can bear stays."""
    assert composed(found) == [meant]


def test_the_document_decides_where_both_are_possible() -> None:
    """Between two vowels the accent belongs to the one on the side that the other words show."""
    assert composed("re´el", "Poincar´e, K¨ahler") == ["reél", "Poincaré, Kähler"]
    assert composed("re´el", "Ste´phane, Lu¨then") == ["réel", "Stéphane, Lüthen"]


def test_variables_keep_their_hats() -> None:
    """A letter or two with an accent is mathematics."""
    assert composed("where yˆ is xˆt and ˜g the mean") == ["where yˆ is xˆt and ˜g the mean"]
