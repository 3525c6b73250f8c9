"""The settings of searching by words and by meaning, a part of `Settings`."""

from __future__ import annotations

from pathlib import Path

import platformdirs
from pydantic import Field, field_validator
from pydantic_settings import BaseSettings

from prioris_mcp.domain.vectors import BUNDLED_MODEL
from prioris_mcp.settings.folders import own_folder


class SearchSettings(BaseSettings, defer_build=True):
    """Which model makes vectors, and how much they may take."""

    embedding_model: str = Field(
        BUNDLED_MODEL,
        min_length=1,
        description="Model for semantic search: the bundled one, a folder with `model.onnx` and `tokenizer.json`, or"
        " with the extra `fastembed` any name that fastembed knows, which is downloaded once, in the background.",
    )
    embedding_cache_dir: Path = Field(
        default_factory=lambda: own_folder(platformdirs.user_cache_path) / "models",
        description="Folder for models that fastembed downloads.",
    )
    embedding_max_concurrency: int = Field(4, ge=1, description="Documents embedded at once.")
    vector_memory_mib: int = Field(
        256,
        ge=0,
        description="Memory that vectors may take, in MiB; a larger index is read from its file at every search.",
    )
    vector_search_default_limit: int = Field(10, ge=1, le=200, description="Matches where the caller names no limit.")

    @field_validator("embedding_cache_dir", mode="after")
    @classmethod
    def _absolute_folder(cls, value: Path) -> Path:
        return value.expanduser().absolute()
