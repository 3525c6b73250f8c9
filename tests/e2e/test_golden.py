"""The listings that we promise, as clients of both eras of the protocol get them from the real process."""

from __future__ import annotations

import json
from typing import Any

import pytest

from scripts import listing

MOST_TOKENS = 10_000
PROMISED = {era: listing.ROOT / "tests" / "snapshots" / f"listing-{era}.json" for era in listing.ERAS}
each_era = pytest.mark.parametrize("era", listing.ERAS)


@each_era
def test_the_listing_is_as_promised(era: str) -> None:
    """Tools, resources, templates and prompts are those of the snapshot, which `make docs` writes anew."""
    assert json.loads(PROMISED[era].read_text("utf-8")) == listing.listed(era)


@each_era
def test_every_part_is_listed(era: str) -> None:
    """Whoever connects finds tools, a resource, templates and prompts."""
    assert all(listing.listed(era)[part] for part in listing.PARTS.values())


def test_both_eras_are_told_the_same() -> None:
    """No client misses a tool, a parameter or a sentence for the version it speaks."""
    legacy, modern = (listing.listed(era) for era in listing.ERAS)
    assert legacy == modern


@each_era
def test_the_listing_is_as_the_code_says(era: str) -> None:
    """Nothing between the code and the pipe adds to the tools or takes from them."""
    in_process: list[dict[str, Any]] = json.loads(PROMISED[era].with_name("tools.json").read_text("utf-8"))
    assert listing.listed(era)["tools"] == in_process


@each_era
def test_the_listing_is_small_in_tokens(era: str) -> None:
    """Names, descriptions and input schemas are what every conversation pays for."""
    pytest.importorskip("tokenizers", reason="the extra for semantic search is not installed")
    assert listing.size(listing.measured(listing.listed(era))["name, description, input"])[1] < MOST_TOKENS
