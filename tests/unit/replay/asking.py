"""Asking the stand-in, and reading its feeds."""

from __future__ import annotations

import ssl
from typing import Any
from xml.etree import ElementTree as ET

import httpx2

from tests.replay import StandIn

API = "https://export.arxiv.org/api/query"
PDF = "https://arxiv.org/pdf/2106.09685v2"
ATOM = "{http://www.w3.org/2005/Atom}"
OAI = "{http://www.openarchives.org/OAI/2.0/}"


def client_of(standin: StandIn, **options: Any) -> httpx2.AsyncClient:
    """A client that trusts the stand-in."""
    trust = ssl.create_default_context(cafile=str(standin.ca_file))
    return httpx2.AsyncClient(proxy=standin.proxy, verify=trust, trust_env=False, timeout=2, **options)


def entries(answer: httpx2.Response) -> list[str]:
    """The short identifiers in a feed."""
    found = ET.fromstring(answer.content).iterfind(f"{ATOM}entry/{ATOM}id")
    return [(entry.text or "").removeprefix("http://arxiv.org/abs/") for entry in found]


async def feed(client: httpx2.AsyncClient, **params: Any) -> httpx2.Response:
    """Ask the search API."""
    return await client.get(API, params=params)
