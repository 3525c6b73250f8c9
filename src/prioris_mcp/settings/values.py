"""Read values of variables that hold more than one."""

from __future__ import annotations

import json
from typing import Any

from pydantic import SecretStr


def from_json(value: Any, expected: str) -> Any:
    """What the text of a variable is the JSON of; ValueError that says what is *expected*."""
    try:
        return json.loads(value) if isinstance(value, str) else value
    except ValueError:
        raise ValueError(f"expected JSON: {expected}") from None


def with_commas(value: Any) -> Any:
    """The items of a variable that are separated by commas."""
    return [item.strip() for item in value.split(",") if item.strip()] if isinstance(value, str) else value


def secret_values(value: Any) -> list[str]:
    """The secrets that a field holds, be it one or several by name."""
    if isinstance(value, SecretStr):
        return [value.get_secret_value()]
    return [secret for each in value.values() for secret in secret_values(each)] if isinstance(value, dict) else []
