"""The parser port over a pool of worker processes, and the backends that stored documents need."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import nullcontext
from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as installed_version

import anyio

from prioris_mcp.adapters.parsers.workers.pool import WorkerPool
from prioris_mcp.domain.markdown import Markdown
from prioris_mcp.ports.parsing import Progress

PDF_REVISION = 6
HTML_REVISION = 3
JATS_REVISION = 3
"""Raised with every change of our own code that changes the Markdown of a document."""

DEFAULT_SECONDS = 120.0
DEFAULT_MEMORY = 2 << 30

_PDF = "prioris_mcp.adapters.parsers.pdf.document:parse"
_HTML = "prioris_mcp.adapters.parsers.html.document:parse"
_JATS = "prioris_mcp.adapters.parsers.jats.document:parse"
"""Named and not imported: only worker processes load the libraries that read documents."""


class IsolatedParser:
    """A parser function that runs in the processes of a pool."""

    def __init__(
        self,
        pool: WorkerPool,
        target: str,
        version: str,
        *,
        seconds: float = DEFAULT_SECONDS,
        memory: int = DEFAULT_MEMORY,
        options: Mapping[str, object] | None = None,
        at_once: int | None = None,
    ) -> None:
        """Bind ``module:function`` *target* to *pool*; *options* must be JSON, *memory* is in bytes."""
        self._turns = anyio.Semaphore(at_once) if at_once else nullcontext()
        self._pool = pool
        self._target = target
        self._version = version
        self._seconds = seconds
        self._memory = memory
        self._options = dict(options or {})

    @property
    def version(self) -> str:
        """Name and version of the parsing code."""
        return self._version

    async def parse(self, content: bytes, progress: Progress | None = None, files_at: str = "") -> Markdown:
        """Return the Markdown of *content*; raises ParseError, within the deadline once a process is free."""
        async with self._turns:
            return await self._pool.run(
                self._target,
                content,
                options={**self._options, "files_at": files_at},
                seconds=self._seconds,
                memory=self._memory,
                progress=progress,
            )


def LiteParsePdfBackend(  # noqa: N802 - a name of the specification
    pool: WorkerPool,
    *,
    seconds: float = DEFAULT_SECONDS,
    memory: int = DEFAULT_MEMORY,
    options: Mapping[str, object] | None = None,
) -> IsolatedParser:
    """Make the PDF parser; its *options* are those of ``pdf.document.parse``."""
    version = f"liteparse-{_installed('liteparse')}+{PDF_REVISION}"
    if options and options.get("images"):
        version += "+images"
    known = {**(options or {}), "seconds": seconds}
    return IsolatedParser(pool, _PDF, version, seconds=seconds, memory=memory, options=known)


def HtmlToMarkdownBackend(  # noqa: N802 - a name of the specification
    pool: WorkerPool, *, seconds: float = DEFAULT_SECONDS, memory: int = DEFAULT_MEMORY
) -> IsolatedParser:
    """Make the parser of arXiv's HTML pages, those made by LaTeXML and those written by authors."""
    return IsolatedParser(pool, _HTML, f"lxml-html+{HTML_REVISION}", seconds=seconds, memory=memory)


def JatsMarkdownBackend(  # noqa: N802 - a name of the specification
    pool: WorkerPool, *, seconds: float = DEFAULT_SECONDS, memory: int = DEFAULT_MEMORY, at_once: int | None = None
) -> IsolatedParser:
    """Make the parser of JATS XML, as Europe PMC serves it; *at_once*: a limit below that of the pool."""
    version = f"lxml-jats+{JATS_REVISION}"
    return IsolatedParser(pool, _JATS, version, seconds=seconds, memory=memory, at_once=at_once)


def _installed(package: str) -> str:
    try:
        return installed_version(package)
    except PackageNotFoundError:
        return "none"
