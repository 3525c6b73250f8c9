"""Embed by a model that fastembed knows: from its cache, else downloaded in the background."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import anyio
from anyio import to_thread

from prioris_mcp.adapters.embedding.background import background_thread
from prioris_mcp.domain.vectors import Vector
from prioris_mcp.errors import ConfigurationError

INSTALL = "pip install '.[fastembed]' in the checkout of this program"
_log = logging.getLogger(__name__)


class FastEmbedEmbedding:
    """Implement EmbeddingBackend over fastembed. No call waits for a download: it is told that there is one.

    Load a cached model at first use, in a thread, once. Embed a query as the model wants queries to be.
    """

    def __init__(self, model: str, folder: Path) -> None:
        """Keep models in *folder* once they are downloaded."""
        self.model = model
        self._folder = folder
        self._loading, self._fetching = anyio.Lock(), anyio.Lock()
        self._loaded: Any = None
        self._state = "is not here yet, and is downloaded in the background: ask again later, or search by words"
        self._background = background_thread()

    def wrong(self) -> str | None:
        """Return why the name of the model can be of no use, as fastembed's own list says; None where it can."""
        if find_spec("fastembed") is None or self.model.lower() in _known():
            return None
        return (
            f"the embedding model {self.model!r} is none that fastembed knows: give one of its names or a folder as"
            " PRIORIS_MCP_EMBEDDING_MODEL, or leave it unset for the bundled model"
        )

    def unavailable_reason(self) -> str | None:
        if find_spec("fastembed") is None:
            return f"the embedding model {self.model!r} needs fastembed: {INSTALL}"
        return None

    async def embed(self, texts: Sequence[str], *, background: bool = False) -> list[Vector]:
        if reason := self.unavailable_reason():
            raise ConfigurationError(reason)
        async with self._loading:
            if self._loaded is None:
                self._loaded = await to_thread.run_sync(_cached, self.model, self._folder)
        if self._loaded is None and background:
            await self._fetch()
        if self._loaded is None:
            raise ConfigurationError(f"the embedding model {self.model!r} {self._state}")
        if background:
            return await asyncio.get_running_loop().run_in_executor(self._background, _passages, self._loaded, texts)
        return await to_thread.run_sync(_queries, self._loaded, texts)

    async def _fetch(self) -> None:
        """Download the model, one at a time; keep what went wrong, to tell later calls."""
        async with self._fetching:
            if self._loaded is not None:
                return
            _log.info("the embedding model %s is being downloaded to %s", self.model, self._folder)
            try:
                self._loaded = await asyncio.get_running_loop().run_in_executor(
                    self._background, _downloaded, self.model, self._folder
                )
            except ValueError as exc:
                self._state = f"could not be had: {exc}"
                raise ConfigurationError(f"the embedding model {self.model!r} {self._state}") from exc
            _log.info("the embedding model %s is ready", self.model)


def _known() -> frozenset[str]:
    """Return the names of all models that fastembed knows, in lower case."""
    return frozenset(str(model["model"]).lower() for model in _text_embedding().list_supported_models())


def _cached(model: str, folder: Path) -> Any:
    """Return the model as an earlier download left it; None without one. Ask no network."""
    try:
        return _open(model, folder, local_files_only=True)
    except ValueError:
        return None


def _downloaded(model: str, folder: Path) -> Any:
    return _open(model, folder)


def _open(model: str, folder: Path, **how: Any) -> Any:
    """Return the model. Raise ValueError where the name is unknown, or the model cannot be had."""
    try:
        kind = _text_embedding()
        return kind(model, cache_dir=str(folder), threads=max(1, (os.cpu_count() or 1) // 2), **how)
    except ValueError:
        raise
    except Exception as exc:  # whatever its libraries raise over a network or a file
        raise ValueError(f"{type(exc).__name__}: {exc}") from exc


def _text_embedding() -> Any:
    """Return fastembed's class, silent."""
    os.environ["HF_HUB_DISABLE_PROGRESS_BARS"] = "1"
    from fastembed import TextEmbedding  # noqa: PLC0415 - slow to import, and not always there
    from loguru import logger  # noqa: PLC0415 - fastembed's own, which would write to standard error by itself

    logger.disable("fastembed")
    return TextEmbedding


def _passages(model: Any, texts: Sequence[str]) -> list[Vector]:
    return [_unit(vector) for vector in model.passage_embed(list(texts), batch_size=1)]


def _queries(model: Any, texts: Sequence[str]) -> list[Vector]:
    return [_unit(vector) for vector in model.query_embed(list(texts))]


def _unit(vector: Any) -> Vector:
    import numpy as np  # noqa: PLC0415 - only semantic search pays for it

    return bytes((vector / (float(np.linalg.norm(vector)) or 1.0)).astype("<f4").tobytes())
