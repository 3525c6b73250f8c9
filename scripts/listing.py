"""What clients are told when they connect, by the real process over standard input and output, and how long it is.

    python -m scripts.listing [--peer NAME=COMMAND]...

Prints the size of the listings, in characters of compact JSON and in tokens, beside other servers. A client of each
era of the protocol gets its own; `python -m scripts.generate` writes both into tests/snapshots. Tokens are counted by
the WordPiece vocabulary that the package brings along, which parts every bracket and quotation mark from its
neighbours: it counts more than the tokenizers of large models, for everybody alike.
"""

from __future__ import annotations

import argparse
import functools
import json
import os
import shlex
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from scripts.serving import ENVELOPE, LEGACY, MODERN, PRODUCT

ROOT = Path(__file__).resolve().parent.parent
VOCABULARY = ROOT / "src" / "prioris_mcp" / "adapters" / "embedding" / "data" / "vocab.txt"
ERAS = (LEGACY, MODERN)
PARTS = {
    "tools/list": "tools",
    "resources/list": "resources",
    "resources/templates/list": "resourceTemplates",
    "prompts/list": "prompts",
}
_HELLO = {"protocolVersion": LEGACY, "capabilities": {}, "clientInfo": {"name": "listing", "version": "1"}}
_KEPT = ("PATH", "PYTHONPATH", "SYSTEMROOT", "TMPDIR", "TEMP")
_METHOD_NOT_FOUND = -32601


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peer", action="append", default=[], metavar="NAME=COMMAND")
    options = parser.parse_args()
    found = {f"this, {era}": listed(era) for era in ERAS}
    for name, _, command in (peer.partition("=") for peer in options.peer):
        found[name] = listed(LEGACY, tuple(shlex.split(command)))
    print(f"{'':51} {'tools':>5} {'characters':>10} {'tokens':>7}")
    for name, parts in found.items():
        for what, value in measured(parts).items():
            characters, tokens = size(value)
            print(f"{name + ': ' + what:51} {len(parts['tools']):5} {characters:10} {tokens:7}")


def pages() -> dict[Path, str]:
    """The snapshot of each era, with the text it should have."""
    folder = ROOT / "tests" / "snapshots"
    return {
        folder / f"listing-{era}.json": json.dumps(listed(era), indent=1, ensure_ascii=False) + "\n" for era in ERAS
    }


@functools.cache
def listed(era: str, command: Sequence[str] = PRODUCT) -> dict[str, list[dict[str, Any]]]:
    """All that a client of *era* is listed by the server that *command* starts, in a home of its own."""
    with tempfile.TemporaryDirectory(prefix="listing-") as home:
        kept = {name: value for name, value in os.environ.items() if name in _KEPT}
        folders = {f"XDG_{kind.upper()}_HOME": str(Path(home, kind)) for kind in ("data", "state", "cache", "config")}
        with subprocess.Popen(
            command,
            env={**kept, **folders, "HOME": home},
            cwd=home,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        ) as process:
            try:
                return _listed(process, era)
            finally:
                process.kill()


def _listed(process: subprocess.Popen[bytes], era: str) -> dict[str, list[dict[str, Any]]]:
    params: Mapping[str, Any] = {"_meta": ENVELOPE}
    if era == LEGACY:
        _ask(process, "initialize", _HELLO)
        _send(process, {"jsonrpc": "2.0", "method": "notifications/initialized"})
        params = {}
    return {part: _ask(process, method, params).get(part, []) for method, part in PARTS.items()}


def _ask(process: subprocess.Popen[bytes], method: str, params: Mapping[str, Any]) -> dict[str, Any]:
    """The result; empty where the server does not know the method."""
    assert process.stdout
    _send(process, {"jsonrpc": "2.0", "id": method, "method": method, "params": params})
    for line in process.stdout:
        message = json.loads(line)
        if message.get("id") == method:
            if message.get("error", {}).get("code") == _METHOD_NOT_FOUND:
                return {}
            result: dict[str, Any] = message["result"]
            return result
    raise SystemExit(f"the server has ended before it answered {method}")


def _send(process: subprocess.Popen[bytes], message: Mapping[str, Any]) -> None:
    assert process.stdin
    process.stdin.write(json.dumps(message).encode() + b"\n")
    process.stdin.flush()


def measured(parts: Mapping[str, list[dict[str, Any]]]) -> dict[str, Any]:
    """What there is to measure of *parts*."""
    tools = parts["tools"]
    shown = [{name: tool[name] for name in ("name", "description", "inputSchema") if name in tool} for tool in tools]
    return {
        "tools/list": tools,
        "without output schemas": [{k: v for k, v in tool.items() if k != "outputSchema"} for tool in tools],
        "name, description, input": shown,
        "everything listed": parts,
    }


@functools.cache
def _tokenizer() -> Any:
    from tokenizers import BertWordPieceTokenizer  # noqa: PLC0415 - of an extra

    return BertWordPieceTokenizer(str(VOCABULARY))


def size(value: Any) -> tuple[int, int]:
    """Characters and tokens of *value* as compact JSON."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return len(text), len(_tokenizer().encode(text, add_special_tokens=False))


if __name__ == "__main__":
    main()
