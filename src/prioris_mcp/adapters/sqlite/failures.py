"""Turn failures of SQLite and of the disk into ours."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

import apsw

from prioris_mcp.adapters.sqlite.database_file import DamagedError
from prioris_mcp.errors import StorageBusyError, StorageError


@contextmanager
def translated(name: str, verb: str) -> Generator[None]:
    """Raise in the block only our errors, which say that the file *name* could not be *verb*, and no path."""
    try:
        yield
    except apsw.FullError as exc:
        raise StorageError(f"{name} could not be {verb}: the disk is full; free some room") from exc
    except (apsw.BusyError, apsw.LockedError) as exc:
        raise StorageBusyError(f"{name} is in use by another program for now; try again in a minute") from exc
    except (apsw.CorruptError, apsw.NotADBError) as exc:
        raise DamagedError.of(name, str(exc)) from exc
    except apsw.SQLError as exc:
        if _lacks_schema(exc):
            raise DamagedError.of(name, str(exc)) from exc
        raise StorageError(f"{name} could not be {verb}: {exc}; report this, it is a fault of the program") from exc
    except apsw.Error as exc:
        raise StorageError(f"{name} could not be {verb}: {exc}; look at its disk and its rights") from exc
    except OSError as exc:
        reason = exc.strerror or "the disk failed"
        raise StorageError(f"{name} could not be {verb}: {reason}; look at its disk and its rights") from exc


def _lacks_schema(exc: apsw.SQLError) -> bool:
    """Return whether a statement of ours met a file that lost part of its schema."""
    return str(exc).startswith(("no such table", "no such column", "no such index"))
