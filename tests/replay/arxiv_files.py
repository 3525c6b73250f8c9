"""The documents of the simulated arXiv, and its pages about documents that are missing."""

from __future__ import annotations

import re
from html import escape
from string import Template
from urllib.parse import unquote

from tests.replay.papers import DATA, Paper, find
from tests.replay.wire import Request, Response

IDENTIFIER = re.compile(r"(\d{4}\.\d{4,5}|[a-z-]+/\d{7})(v\d+)?")
PAGE = Template(
    '<!DOCTYPE html>\n<html lang="en"><head><title>$title</title></head>\n'
    "<body><h1>$title</h1>\n<p>$text</p></body></html>\n"
)


def pdf(request: Request) -> Response:
    """`/pdf/{id}`: the file of that paper, or else the sample paper."""
    name = unquote(request.path).removeprefix("/pdf/")
    if name.endswith(".pdf") or "?" in request.target:
        return Response(301, b"", None, {"Location": f"/pdf/{name.removesuffix('.pdf')}"})
    paper = find(name)
    if paper is None or paper.gone:
        return _missing(name, paper)
    headers = {
        "Content-Disposition": f'inline; filename="{paper.name.replace("/", "")}.pdf"',
        "Link": f"<https://arxiv.org/pdf/{paper.id}>; rel='canonical'",
    }
    own = DATA / "pdf" / f"{_file_name(paper)}.pdf"
    path = own if own.is_file() else DATA / "pdf" / "sample-paper.pdf"
    return Response(200, path.read_bytes(), "application/pdf", headers, chunked=True)


def html(request: Request) -> Response:
    """`/html/{id}`: the page of that paper, or else a short one made of its metadata."""
    name = unquote(request.path).removeprefix("/html/")
    paper = find(name)
    if paper is None or paper.gone:
        return _missing(name, paper)
    own = DATA / "html" / f"{_file_name(paper)}.html"
    if own.is_file():
        return Response(200, own.read_bytes())
    if not paper.html:
        reason = "This could be due to the source files not being HTML or LaTeX, or to a failed conversion."
        return _page(f"No HTML for '{name}'", f"HTML is not available for the source. {reason}")
    return Response(200, _short_page(paper).encode())


def ar5iv(request: Request) -> Response:
    """`/html/{id}` of ar5iv: its page of that paper; a redirect to arXiv's where it has none."""
    name = unquote(request.path).removeprefix("/html/")
    own = DATA / "ar5iv" / f"{name.replace('/', '_')}.html"
    if own.is_file():
        return Response(200, own.read_bytes())
    return Response(307, b"", None, {"Location": f"https://arxiv.org/abs/{name}"})


def _missing(name: str, paper: Paper | None) -> Response:
    if paper:
        title = f"This version of {name} has been withdrawn and is unavailable"
        return _page(title, "See the abstract page for more details.")
    if IDENTIFIER.fullmatch(name):
        return _page(f"No document for '{name}'", "There is no paper or version of that name.")
    return _page(f"No article for '{name}'", f"The identifier you have specified '{name}' appears to be invalid.")


def _page(title: str, text: str) -> Response:
    return Response(404, PAGE.substitute(title=escape(title, quote=False), text=escape(text, quote=False)).encode())


def _file_name(paper: Paper) -> str:
    return paper.id.replace("/", "_")


def _short_page(paper: Paper) -> str:
    template = Template((DATA / "html" / "short.html").read_text("utf-8"))
    names = ", ".join(author.name for author in paper.authors)
    fields = {"title": paper.title, "authors": names, "abstract": paper.abstract, "name": paper.name}
    return template.substitute({key: escape(value) for key, value in fields.items()})
