"""The settings of what the server offers and logs, a part of `Settings`."""

from __future__ import annotations

import logging
from typing import Annotated, Any, Literal

from pydantic import Field, field_validator
from pydantic_settings import BaseSettings, NoDecode

from prioris_mcp.domain.sources.table import SOURCES
from prioris_mcp.models.base import Words
from prioris_mcp.settings.values import with_commas

TOOLSETS: tuple[str, ...] = (*SOURCES, "discovery", "library", "notes")


class ServerSettings(BaseSettings, defer_build=True):
    """How the server is reached, what it offers, and what it logs."""

    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"] = Field(
        "INFO", description="How much is logged; logs go to standard error only."
    )
    log_format: Literal["text", "json"] = Field(
        "text", description="How log lines look: for people, or one JSON object a line."
    )
    transport: Literal["stdio", "streamable-http", "http"] = Field(
        "stdio", description="How clients reach the server; `http` is short for `streamable-http`."
    )
    toolsets: Annotated[list[Annotated[str, Words(TOOLSETS)]], NoDecode] = Field(
        list(TOOLSETS), description="Groups of tools to offer, separated by commas.", min_length=1
    )
    max_inline_chars: int = Field(
        20000, ge=1, le=100000, description="Characters of Markdown in one answer where the caller names no limit."
    )

    @field_validator("log_format", mode="before")
    @classmethod
    def _lower(cls, value: Any) -> Any:
        return value.lower() if isinstance(value, str) else value

    @field_validator("log_level", mode="before")
    @classmethod
    def _upper(cls, value: Any) -> Any:
        return value.upper() if isinstance(value, str) else value

    @field_validator("toolsets", mode="before")
    @classmethod
    def _names(cls, value: Any) -> Any:
        return with_commas(value.lower() if isinstance(value, str) else value)

    @property
    def logging_level(self) -> int:
        """The level as the standard library numbers it."""
        return logging.getLevelNamesMapping()[self.log_level]
