"""Every environment variable of the server, with its bounds. The only place that reads the environment."""

from __future__ import annotations

import json
import logging
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

import platformdirs
from pydantic import Field, SecretStr, ValidationError, field_validator, model_validator
from pydantic_settings import NoDecode, SettingsConfigDict

from prioris_mcp.domain.vectors import BUNDLED_MODEL
from prioris_mcp.environment import answers_come_from_here, secrets_beside
from prioris_mcp.errors import ConfigurationError
from prioris_mcp.http_settings import HttpSettings, from_json, secret_values, with_commas
from prioris_mcp.redaction import secrets_in

PREFIX = "PRIORIS_MCP_"
POLITE_SPACING = 3.0
_CORES = os.cpu_count() or 1
_SHOWN = 80


def _own(folder: Callable[..., Path]) -> Path:
    """Return this program's part of one of the user's standard folders, where the system has it."""
    _home()
    return folder("prioris-mcp", appauthor=False)


def _home() -> Path:
    """The user's folder; ConfigurationError where there is none, as for a user without an entry in the system."""
    named = os.environ.get("HOME") if os.name == "posix" else None  # of which Python takes "" for the root folder
    try:
        found = Path.home() if named is None else Path(named)
    except RuntimeError:
        found = Path()
    if not found.is_absolute():
        raise ConfigurationError("it is not known where your home folder is: set HOME to its absolute path")
    return found


@dataclass(frozen=True, slots=True)
class Folders:
    """A user's folders, as programs other than this one name them; *system* is "linux", "macos" or "windows"."""

    system: str
    home: Path
    config: Path
    claude: Path

    def base(self, name: str) -> Path:
        """The one called *name*: home, config or claude."""
        return {"home": self.home, "config": self.config, "claude": self.claude}[name]


def folders(platform: str = sys.platform) -> Folders:
    """This user's, on a system that Python calls *platform*."""
    home = _home()
    system = {"darwin": "macos", "win32": "windows"}.get(platform, "linux")
    usual = {
        "macos": (None, home / "Library" / "Application Support"),
        "windows": (os.environ.get("APPDATA"), home / "AppData" / "Roaming"),
        "linux": (os.environ.get("XDG_CONFIG_HOME"), home / ".config"),
    }
    named, fallback = usual[system]
    config = Path(named) if named and Path(named).is_absolute() else fallback
    return Folders(system, home, config, Path(os.environ.get("CLAUDE_CONFIG_DIR") or home).absolute())


Toolset = Literal["arxiv", "europepmc", "localfile", "discovery", "library", "notes"]


class Settings(HttpSettings):
    """The server's configuration. Each field is the environment variable ``PRIORIS_MCP_<FIELD>``."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX, env_file=None, env_ignore_empty=True, extra="ignore", frozen=True
    )

    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"] = Field(
        "INFO", description="How much is logged; logs go to standard error only."
    )
    log_format: Literal["text", "json"] = Field(
        "text", description="How log lines look: for people, or one JSON object a line."
    )
    transport: Literal["stdio", "streamable-http", "http"] = Field(
        "stdio", description="How clients reach the server; `http` is short for `streamable-http`."
    )
    toolsets: Annotated[list[Toolset], NoDecode] = Field(
        list(get_args(Toolset)), description="Groups of tools to offer, separated by commas.", min_length=1
    )
    response_cache_ttl: int = Field(
        300,
        ge=0,
        le=86400,
        description="Seconds that an answer of a source, and the current version of an unversioned identifier,"
        " is remembered; 0 turns it off.",
    )
    unverified_https: bool = Field(
        False, description="Do not check the certificates of the sources. Unsafe; a warning is logged at start."
    )
    http_timeout_seconds: float = Field(30.0, gt=0, le=3600, description="Longest wait for a source, in seconds.")
    max_inline_chars: int = Field(
        20000, ge=1, le=100000, description="Characters of Markdown in one answer where the caller names no limit."
    )
    rate_limit_backoff_budget_seconds: float = Field(
        60.0, ge=0, le=3600, description="Longest that one request waits because its source refuses it, in seconds."
    )
    request_spacing_seconds: float = Field(
        POLITE_SPACING,
        ge=0,
        le=3600,
        description="Seconds between the starts of two requests to one source. Less than 3 is accepted only while"
        " HTTPS_PROXY points at this machine, where a stand-in for the sources can answer.",
    )
    max_download_bytes: int = Field(
        256 * 2**20, ge=1, description="Largest answer that is accepted from a source, in bytes, unpacked."
    )
    storage_dir: Path = Field(
        default_factory=lambda: _own(platformdirs.user_data_path) / "downloads",
        description="Folder of the library: fetched documents and their Markdown.",
    )
    notes_dir: Path = Field(
        default_factory=lambda: _own(platformdirs.user_data_path) / "notes", description="Folder of the notes."
    )
    vector_dir: Path = Field(
        default_factory=lambda: _own(platformdirs.user_data_path) / "vectors",
        description="Folder of the vector indexes.",
    )
    state_dir: Path = Field(
        default_factory=lambda: _own(platformdirs.user_state_path),
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
    parse_timeout_seconds: float = Field(
        120.0, gt=0, le=3600, description="Longest that parsing one document may take."
    )
    parse_memory_mib: int = Field(
        2048, ge=256, description="Memory that parsing one document may use beyond an idle parser's, in MiB."
    )
    parse_max_concurrency: int = Field(
        default_factory=lambda: min(2, _CORES), ge=1, description="Documents parsed at once."
    )
    jats_max_concurrent_transforms: int = Field(
        default_factory=lambda: min(4, _CORES), ge=1, description="JATS documents among those; at most the cores."
    )
    pdf_ocr_enabled: bool = Field(True, description="Read scanned pages, where language data is installed.")
    pdf_ocr_tessdata_path: Path | None = Field(
        default_factory=lambda: Path(found) if (found := os.environ.get("TESSDATA_PREFIX")) else None,
        description="Folder of Tesseract's `.traineddata` files; `TESSDATA_PREFIX` where unset.",
    )
    pdf_ocr_language: str = Field(
        "eng", pattern=r"^[A-Za-z_+]{3,40}$", description="Language data for OCR, as Tesseract names it."
    )
    pdf_ocr_server_url: str | None = Field(
        None,
        pattern=r"^https?://",
        description="OCR server that scanned pages are sent to, in place of OCR on this machine.",
    )
    pdf_ocr_server_headers: Annotated[dict[str, SecretStr], NoDecode] = Field(
        default_factory=dict, description="Headers for the OCR server, as a JSON object."
    )
    pdf_extract_images: bool = Field(
        False, description="Keep the images of a PDF, and name each in its Markdown by an address."
    )
    embedding_model: str = Field(
        BUNDLED_MODEL,
        min_length=1,
        description="Model for semantic search: the bundled one, a folder with `model.onnx` and `tokenizer.json`, or"
        " with the extra `fastembed` any name that fastembed knows, which is downloaded once, in the background.",
    )
    embedding_cache_dir: Path = Field(
        default_factory=lambda: _own(platformdirs.user_cache_path) / "models",
        description="Folder for models that fastembed downloads.",
    )
    embedding_max_concurrency: int = Field(4, ge=1, description="Documents embedded at once.")
    vector_memory_mib: int = Field(
        256,
        ge=0,
        description="Memory that vectors may take, in MiB; a larger index is read from its file at every search.",
    )
    vector_search_default_limit: int = Field(10, ge=1, le=200, description="Matches where the caller names no limit.")
    openalex_api_key: SecretStr | None = Field(
        None,
        description="Key for OpenAlex; discovery needs one. A secret of fewer than 8 characters, this or another, is"
        " hidden in errors and logs only where it stands alone, one of fewer than 4 only as the value of a name.",
    )
    discovery_max_results: int = Field(25, ge=1, le=50, description="Discovery hits where the caller names no number.")

    @field_validator("log_format", mode="before")
    @classmethod
    def _lower(cls, value: Any) -> Any:
        return value.lower() if isinstance(value, str) else value

    @field_validator("log_level", mode="before")
    @classmethod
    def _upper(cls, value: Any) -> Any:
        return value.upper() if isinstance(value, str) else value

    @field_validator("pdf_ocr_server_headers", mode="before")
    @classmethod
    def _json(cls, value: Any) -> Any:
        return from_json(value, "an object of strings")

    @field_validator("toolsets", mode="before")
    @classmethod
    def _names(cls, value: Any) -> Any:
        return with_commas(value.lower() if isinstance(value, str) else value)

    @field_validator("jats_max_concurrent_transforms", mode="after")
    @classmethod
    def _at_most_the_cores(cls, value: int) -> int:
        return min(value, _CORES)

    @field_validator("storage_dir", "notes_dir", "vector_dir", "state_dir", "embedding_cache_dir", mode="after")
    @classmethod
    def _absolute(cls, value: Path) -> Path:
        return value.expanduser().absolute()

    @model_validator(mode="after")
    def _polite(self) -> Settings:
        if self.request_spacing_seconds < POLITE_SPACING and not answers_come_from_here():
            raise ValueError(
                f"{PREFIX}REQUEST_SPACING_SECONDS={self.request_spacing_seconds:g}: the sources' terms ask for 3 s or"
                " more between requests; less is accepted only while HTTPS_PROXY points at this machine"
            )
        return self

    def secrets(self) -> list[str]:
        """Values that must never be shown or logged: those of every secret field, and what the environment adds."""
        held = [secret for name in type(self).model_fields for secret in secret_values(getattr(self, name))]
        keys = self.auth_jwt_jwks_uri or ""
        addresses = [self.pdf_ocr_server_url or "", keys if secrets_in(keys) else ""]
        return sorted({*held, *self.shown_tokens(), *addresses, *secrets_beside()} - {""})

    @property
    def logging_level(self) -> int:
        """The level as the standard library numbers it."""
        return logging.getLevelNamesMapping()[self.log_level]


def load() -> Settings:
    """The settings of this process; ConfigurationError with one readable line for each wrong value."""
    try:
        return Settings()
    except ValidationError as exc:
        raise ConfigurationError("; ".join(_sentence(dict(error)) for error in exc.errors())) from None


def unknown() -> list[str]:
    """A sentence for each variable of ours that is no setting, with the one that was probably meant."""
    known = {name.upper() for name in Settings.model_fields}
    ours = {name: name.upper().removeprefix(PREFIX) for name in os.environ if name.upper().startswith(PREFIX)}
    return [f"{name} is no setting; {_hint(bare, known)}" for name, bare in sorted(ours.items()) if bare not in known]


def _hint(bare: str, known: set[str]) -> str:
    import difflib  # noqa: PLC0415 - only for names that are wrong

    near = difflib.get_close_matches(bare, sorted(known), 1, 0.7)
    return f"did you mean {PREFIX}{near[0]}?" if near else "docs/configuration.md has all that there are"


def _sentence(error: dict[str, Any]) -> str:
    """One line: which variable, what it holds, what is allowed."""
    reason = str(error["msg"]).removeprefix("Value error, ")
    if not error["loc"]:
        return reason
    variable = PREFIX + str(error["loc"][0]).upper()
    secret = any(part in variable for part in ("KEY", "OCR_SERVER", "TOKENS", "JWKS"))
    shown = "" if secret else f"={_shown(error['input'])}"
    return f"{variable}{shown} is not allowed: {reason[:1].lower()}{reason[1:]}"


def _shown(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value, default=str)
    return repr(text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…")
