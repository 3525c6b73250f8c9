"""The settings of what is stored and where, a part of `Settings`."""

from __future__ import annotations

from pathlib import Path

import platformdirs
from pydantic import Field, field_validator
from pydantic_settings import BaseSettings

from prioris_mcp.settings.folders import own_folder


class LibrarySettings(BaseSettings, defer_build=True):
    """Where the library, notes and indexes are kept, and how much may be sent to it."""

    storage_dir: Path = Field(
        default_factory=lambda: own_folder(platformdirs.user_data_path) / "downloads",
        description="Folder of the library: fetched documents and their Markdown.",
    )
    notes_dir: Path = Field(
        default_factory=lambda: own_folder(platformdirs.user_data_path) / "notes", description="Folder of the notes."
    )
    vector_dir: Path = Field(
        default_factory=lambda: own_folder(platformdirs.user_data_path) / "vectors",
        description="Folder of the vector indexes.",
    )
    state_dir: Path = Field(
        default_factory=lambda: own_folder(platformdirs.user_state_path),
        description="Folder of what all servers of one user share on this machine: when each source may be asked next.",
    )
    local_file_max_size_bytes: int = Field(10485760, ge=1, description="Largest PDF that a caller may send, in bytes.")
    local_file_upload_max_chunk_bytes: int = Field(1048576, ge=1, description="Largest chunk of an upload, in bytes.")
    local_file_upload_session_ttl_seconds: int = Field(
        300, ge=1, description="Seconds after its last chunk that an unfinished upload is forgotten."
    )
    local_file_upload_max_concurrent_sessions: int = Field(
        16, ge=1, description="Uploads that one caller may have open at once; all together, eight times as many."
    )

    @field_validator("storage_dir", "notes_dir", "vector_dir", "state_dir", mode="after")
    @classmethod
    def _absolute(cls, value: Path) -> Path:
        return value.expanduser().absolute()
