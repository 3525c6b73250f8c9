"""Choose the model that turns text into vectors."""

from __future__ import annotations

from pathlib import Path

from prioris_mcp.adapters.embedding.fastembed_model import FastEmbedEmbedding
from prioris_mcp.adapters.embedding.onnx_model import OnnxEmbedding
from prioris_mcp.domain.vectors import BUNDLED_MODEL
from prioris_mcp.settings import Settings


def embedder_of(settings: Settings) -> OnnxEmbedding | FastEmbedEmbedding:
    """Return the bundled model, one in a folder, or one that fastembed knows by this name."""
    name = settings.embedding_model
    folder = Path(name).expanduser()
    if name == BUNDLED_MODEL:
        return OnnxEmbedding()
    if folder.is_absolute() or folder.is_dir():
        return OnnxEmbedding(str(folder))
    return FastEmbedEmbedding(name, settings.embedding_cache_dir)
