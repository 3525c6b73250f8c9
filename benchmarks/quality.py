"""How faithful the Markdown of real documents is, measured by the scripts that come with a corpus.

    python -m benchmarks.quality CORPUS

CORPUS holds ``pdf/``, ``html/`` and ``jats/`` with documents, and ``tools/`` with the scripts (their README says what
each figure means), which need rapidfuzz. Prints their tables; the exit code is 1 where a bound is missed.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from prioris_mcp.adapters.parsers.html.document import parse as parse_html
from prioris_mcp.adapters.parsers.jats.document import parse as parse_jats
from prioris_mcp.adapters.parsers.pdf.document import parse as parse_pdf
from prioris_mcp.domain.markdown import Markdown
from prioris_mcp.errors import ParseError

Parse = Callable[[bytes, dict[str, object], Callable[[int, int], None]], Markdown]
PARSERS: dict[str, tuple[Parse, str]] = {
    "pdf": (parse_pdf, "*.pdf"),
    "html": (parse_html, "*.html"),
    "jats": (parse_jats, "*.xml"),
}
FORMULAS = "prioris_mcp.adapters.parsers.mathml.to_tex:tex_of_markup"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    corpus = parser.parse_args().corpus.resolve()
    with tempfile.TemporaryDirectory() as folder:
        out, cut = Path(folder, "out"), Path(folder, "cut")
        convert(corpus, out)
        script(corpus, "truncate_pdfs.py", "--write", str(cut))
        store_pages(sorted(cut.glob("*.pdf")), out / "pdf")
        missed = [
            script(corpus, "quality.py", "--outputs", str(out), "--gates"),
            script(corpus, "olmocr_checks.py", "--outputs", str(out), "--gates"),
            script(corpus, "truncate_pdfs.py", "--score", str(out), "--gates"),
            script(corpus, "mathml_pairs.py", FORMULAS, "--gates"),
        ]
    sys.exit(any(missed))


def convert(corpus: Path, out: Path) -> None:
    """Parse every document of *corpus* into *out*, laid out as the scripts read it."""
    for kind, (parse, pattern) in PARSERS.items():
        sources = sorted((corpus / kind).glob(pattern))
        if kind == "pdf":
            store_pages(sources, out / kind)
            continue
        (out / kind).mkdir(parents=True)
        for source in sources:
            for text, suffix in parsed(parse, source):
                (out / kind / f"{source.stem}{suffix}").write_text(text, "utf-8")


def store_pages(sources: list[Path], out: Path) -> None:
    """Parse PDFs, page by page."""
    out.mkdir(parents=True, exist_ok=True)
    for source in sources:
        try:
            markdown = parse_pdf(source.read_bytes(), {}, quiet)
            shown: dict[str, object] = {"pages": [markdown.text[leaf.start : leaf.end] for leaf in markdown.leaves]}
        except ParseError as exc:
            shown = {"error": str(exc)}
        (out / f"{source.stem}.json").write_text(json.dumps(shown), "utf-8")


def parsed(parse: Parse, source: Path) -> Iterator[tuple[str, str]]:
    """The Markdown, or the sentence that says why there is none, with the suffix of its file."""
    try:
        yield parse(source.read_bytes(), {}, quiet).text, ".md"
    except ParseError as exc:
        yield str(exc), ".error"


def quiet(_done: int, _total: int) -> None:
    """Report progress to nobody."""


def script(corpus: Path, name: str, *arguments: str) -> int:
    """Run one of the corpus's scripts; its exit code."""
    print(f"\n== {name}", flush=True)
    command = [sys.executable, name, "--corpus", str(corpus), *arguments]
    return subprocess.run(command, cwd=corpus / "tools", check=False).returncode


if __name__ == "__main__":
    main()
