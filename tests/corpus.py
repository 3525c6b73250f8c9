"""Where the folder of real documents and recorded answers is, which is not part of the repository."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

_BESIDE = Path(__file__).resolve().parents[2] / "shared"
SHARED = Path(os.environ.get("PRIORIS_CORPUS") or _BESIDE)
"""Set PRIORIS_CORPUS where it is not beside the checkout."""
UPSTREAM = SHARED / "corpus" / "upstream"

needs_corpus = [
    pytest.mark.corpus,
    pytest.mark.skipif(not UPSTREAM.is_dir(), reason="the folder of real documents is not here (PRIORIS_CORPUS)"),
]
