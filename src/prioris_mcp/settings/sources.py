"""The settings of how sources are asked, a part of `Settings`."""

from __future__ import annotations

from pydantic import Field, SecretStr, model_validator
from pydantic_settings import BaseSettings

from prioris_mcp.environment import answers_come_from_here

POLITE_SPACING = 3.0


class SourceSettings(BaseSettings, defer_build=True):
    """How sources are asked, and how long their answers are remembered."""

    request_spacing_seconds: float = Field(
        POLITE_SPACING,
        ge=0,
        le=3600,
        description="Seconds between the starts of two requests to one source. Less than 3 is accepted only while"
        " HTTPS_PROXY points at this machine, where a stand-in for the sources can answer.",
    )
    rate_limit_backoff_budget_seconds: float = Field(
        60.0, ge=0, le=3600, description="Longest that one request waits because its source refuses it, in seconds."
    )
    http_timeout_seconds: float = Field(30.0, gt=0, le=3600, description="Longest wait for a source, in seconds.")
    max_download_bytes: int = Field(
        256 * 2**20, ge=1, description="Largest answer that is accepted from a source, in bytes, unpacked."
    )
    response_cache_ttl: int = Field(
        300,
        ge=0,
        le=86400,
        description="Seconds that an answer of a source, and the current version of an unversioned identifier,"
        " is remembered; 0 turns it off.",
    )
    ar5iv: bool = Field(
        True,
        description="Ask ar5iv.labs.arxiv.org for the HTML of papers of which arXiv itself has none: it has most from"
        " before 2023.",
    )
    unverified_https: bool = Field(
        False, description="Do not check the certificates of the sources. Unsafe; a warning is logged at start."
    )
    openalex_api_key: SecretStr | None = Field(
        None,
        description="Key for OpenAlex; discovery needs one. A secret of fewer than 8 characters, this or another, is"
        " hidden in errors and logs only where it stands alone, one of fewer than 4 only as the value of a name.",
    )
    discovery_max_results: int = Field(25, ge=1, le=50, description="Discovery hits where the caller names no number.")

    @model_validator(mode="after")
    def _polite(self) -> SourceSettings:
        if self.request_spacing_seconds < POLITE_SPACING and not answers_come_from_here():
            raise ValueError(
                f"PRIORIS_MCP_REQUEST_SPACING_SECONDS={self.request_spacing_seconds:g}: the sources' terms ask for 3 s"
                " or more between requests; less is accepted only while HTTPS_PROXY points at this machine"
            )
        return self
