"""The OAI-PMH interface of the simulated arXiv: ListSets alone."""

from __future__ import annotations

import functools
import json
from xml.sax.saxutils import escape

from tests.replay.papers import DATA
from tests.replay.wire import Request, Response

PAGE = """<?xml version="1.0" encoding="UTF-8"?>
<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
         xsi:schemaLocation="http://www.openarchives.org/OAI/2.0/ http://www.openarchives.org/OAI/2.0/OAI-PMH.xsd">
    <responseDate>2026-04-12T22:09:36Z</responseDate>
    <request{attributes}>https://oaipmh.arxiv.org/oai</request>
    {content}
</OAI-PMH>
"""
SET = "        <set>\n            <setSpec>{}</setSpec>\n            <setName>{}</setName>\n        </set>"


def oai(request: Request) -> Response:
    """Answer a verb; errors too come with status 200."""
    if request.query == {"verb": "ListSets"}:
        return _page(' verb="ListSets"', "<ListSets>\n" + "\n".join(_sets()) + "\n    </ListSets>")
    code = "badArgument" if request.query.get("verb") == "ListSets" else "badVerb"
    return _page("", f'<error code="{code}">The simulation knows ListSets without arguments only.</error>')


@functools.cache
def _sets() -> list[str]:
    pairs = json.loads((DATA / "sets.json").read_text("utf-8"))
    return [SET.format(escape(spec), escape(name)) for spec, name in pairs]


def _page(attributes: str, content: str) -> Response:
    return Response(200, PAGE.format(attributes=attributes, content=content).encode(), "application/xml")
