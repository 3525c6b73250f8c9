"""The settings of how documents become Markdown, a part of `Settings`."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, SecretStr, field_validator
from pydantic_settings import BaseSettings, NoDecode

from prioris_mcp.settings.values import from_json

_CORES = os.cpu_count() or 1


class ParsingSettings(BaseSettings, defer_build=True):
    """How much parsing may take, and what is read from PDFs."""

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

    @field_validator("pdf_ocr_server_headers", mode="before")
    @classmethod
    def _json(cls, value: Any) -> Any:
        return from_json(value, "an object of strings")

    @field_validator("jats_max_concurrent_transforms", mode="after")
    @classmethod
    def _at_most_the_cores(cls, value: int) -> int:
        return min(value, _CORES)
