"""The environment, read and checked."""

from __future__ import annotations

import os
from base64 import b64encode

import pytest

from prioris_mcp.errors import ConfigurationError
from prioris_mcp.redaction import Redactor
from prioris_mcp.settings import PREFIX, Settings, load, unknown


@pytest.fixture(autouse=True)
def bare_environment(monkeypatch):
    """No setting of the machine the tests run on."""
    for name in os.environ:
        if name.startswith((PREFIX, "XDG_", "TESSDATA")) or name.lower().endswith("_proxy"):
            monkeypatch.delenv(name)


def test_everything_has_a_default_and_a_description():
    """The server starts with nothing set, and every variable explains itself."""
    load()
    assert [name for name, field in Settings.model_fields.items() if not field.description] == []


def test_the_folders_follow_the_users_standard_folders(monkeypatch, tmp_path):
    """XDG_DATA_HOME moves the data; a relative one is ignored, as the standard says."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert load().storage_dir == tmp_path / "prioris-mcp" / "downloads"
    monkeypatch.setenv("XDG_DATA_HOME", "here")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert load().notes_dir == tmp_path / ".local/share/prioris-mcp/notes"


@pytest.mark.parametrize(
    ("variable", "value", "words"),
    [
        ("PORT", "80", "PRIORIS_MCP_PORT='80' is not allowed: input should be greater than or equal to 1024"),
        ("PORT", "99999", "less than or equal to 49151"),
        ("PORT", "x", "valid integer"),
        ("TRANSPORT", "sse", "'stdio', 'streamable-http' or 'http'"),
        ("LOG_LEVEL", "LOUD", "PRIORIS_MCP_LOG_LEVEL='LOUD' is not allowed"),
        ("ASGI_CORS_ALLOWED_ORIGINS", "http://a", "expected JSON"),
        ("RESPONSE_CACHE_TTL", "86401", "less than or equal to 86400"),
        ("RATE_LIMIT_BACKOFF_BUDGET_SECONDS", "3601", "less than or equal to 3600"),
        ("MAX_INLINE_CHARS", "0", "greater than or equal to 1"),
        ("VECTOR_SEARCH_DEFAULT_LIMIT", "201", "less than or equal to 200"),
        ("DISCOVERY_MAX_RESULTS", "0", "greater than or equal to 1"),
        ("UNVERIFIED_HTTPS", "maybe", "boolean"),
        ("REQUEST_SPACING_SECONDS", "1", "terms ask for 3 s or more"),
    ],
)
def test_a_wrong_value_is_one_readable_line(monkeypatch, variable, value, words):
    """It names the variable, the value and what is allowed."""
    monkeypatch.setenv(PREFIX + variable, value)
    with pytest.raises(ConfigurationError) as caught:
        load()
    sentence = str(caught.value)
    assert words in sentence
    assert PREFIX + variable in sentence
    assert "\n" not in sentence


def test_a_wrong_secret_is_not_shown(monkeypatch):
    """Not even the start of it."""
    monkeypatch.setenv("PRIORIS_MCP_PDF_OCR_SERVER_HEADERS", "hunter2")
    with pytest.raises(ConfigurationError) as caught:
        load()
    assert "hunter2" not in str(caught.value)


def test_an_empty_value_counts_as_unset(monkeypatch):
    """Clients fill in forms that people leave blank."""
    monkeypatch.setenv("PRIORIS_MCP_PORT", "")
    monkeypatch.setenv("PRIORIS_MCP_OPENALEX_API_KEY", "")
    assert (load().port, load().openalex_api_key) == (8000, None)


def test_a_short_spacing_is_for_a_stand_in_only(monkeypatch):
    """Behind a proxy on this machine the pause may be shorter than the sources' terms ask for."""
    monkeypatch.setenv("PRIORIS_MCP_REQUEST_SPACING_SECONDS", "0.1")
    monkeypatch.setenv("HTTPS_PROXY", "http://proxy.example:3128")
    with pytest.raises(ConfigurationError):
        load()
    monkeypatch.setenv("HTTPS_PROXY", "http://127.0.0.1:3128")
    assert load().request_spacing_seconds == 0.1


def test_secrets_are_hidden_when_shown(monkeypatch):
    """A settings object can be logged."""
    monkeypatch.setenv("PRIORIS_MCP_OPENALEX_API_KEY", "k-secret")
    monkeypatch.setenv("PRIORIS_MCP_PDF_OCR_SERVER_HEADERS", '{"Authorization": "t-secret"}')
    assert "secret" not in repr(load()).replace("SecretStr", "")
    assert load().secrets() == ["k-secret", "t-secret"]


def test_the_address_of_an_ocr_server_is_a_secret(monkeypatch):
    """It may hold a token: it is blacked out in logs, and not shown where it is wrong."""
    monkeypatch.setenv("PRIORIS_MCP_PDF_OCR_SERVER_URL", "https://ocr.example/read?token=k-address")
    assert load().secrets() == ["https://ocr.example/read?token=k-address"]
    monkeypatch.setenv("PRIORIS_MCP_PDF_OCR_SERVER_URL", "ftp://k-user:k-password@ocr.example")
    with pytest.raises(ConfigurationError, match="PDF_OCR_SERVER_URL is not allowed") as caught:
        load()
    assert "k-" not in str(caught.value)


def test_passwords_of_proxies_and_headers_of_exporters_are_secrets(monkeypatch):
    """Also of those that others read, and with the user, as a header for the proxy has them."""
    monkeypatch.setenv("https_proxy", "ada:p%40ss-word@proxy.example:3128")
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_TRACES_HEADERS", "a=Bearer%20t-exporter,b=k-exporter")
    hide = Redactor(load().secrets())
    basic = b64encode(b"ada:p@ss-word").decode()
    assert hide(f"p@ss-word p%40ss-word {basic} t-exporter k-exporter") == "*** *** *** *** ***"


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("PRIORIS_MCP_STORGE_DIR", "did you mean PRIORIS_MCP_STORAGE_DIR?"),
        ("prioris_mcp_log_leve", "did you mean PRIORIS_MCP_LOG_LEVEL?"),
        ("PRIORIS_MCP_QUOKKA", "docs/configuration.md has all that there are"),
    ],
)
def test_a_variable_that_is_no_setting_is_named(monkeypatch, name, hint):
    """With the one that was probably meant; what is a setting, in whatever case, is not."""
    monkeypatch.setenv("prioris_mcp_log_level", "INFO")
    assert unknown() == []
    monkeypatch.setenv(name, "secret value")
    assert unknown() == [f"{name} is no setting; {hint}"]
