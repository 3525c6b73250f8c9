"""What the SQLite that this program carries can do."""

from __future__ import annotations

import apsw

_NEEDED = ("ENABLE_FTS5",)


def missing() -> list[str]:
    """Compile options that the library's databases need and this SQLite lacks."""
    return [option for option in _NEEDED if option not in apsw.compile_options]


def version() -> str:
    """SQLite's own version, and that of the binding."""
    return f"SQLite {apsw.sqlite_lib_version()} (apsw {apsw.apsw_version()})"
