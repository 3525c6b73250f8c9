"""Serve one client over standard input and output."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from fastmcp import FastMCP

from prioris_mcp.server.stdio.stdin import answering_every_line
from prioris_mcp.server.stdio.stdout import sharing_output


async def run_stdio(server: FastMCP[Any], at_end: Callable[[], None]) -> None:
    """Serve one client over standard input and output, until it closes them.

    *at_end* is called, in some thread, as soon as the client has left; what is still running is ended after that.
    """
    if sys.stdin is None or sys.stdout is None:  # closed before the process began: nobody is there
        return
    with sharing_output() as say, answering_every_line(say, at_end):
        await server.run_stdio_async(show_banner=False)
