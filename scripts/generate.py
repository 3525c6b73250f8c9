"""Writes what is generated from the code: reference pages under docs/, and the tool listing that we promise.

    python -m scripts.generate [--check]

With --check nothing is written, and the exit code says whether something lags behind the code.
"""

from __future__ import annotations

import argparse
import asyncio
import inspect
import json
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pydantic_core import PydanticUndefined
from pydantic_settings import BaseSettings

from prioris_mcp import errors
from prioris_mcp.errors import PriorisError
from prioris_mcp.server.app import app
from prioris_mcp.settings import GROUPS, PREFIX, Settings
from prioris_mcp.wiring import open_services
from scripts import commands, examples, listing

ROOT = Path(__file__).resolve().parent.parent
NOTE = "<!-- Written by `make docs` from the code; edit the code instead. -->\n"
_COMPUTED = {
    "storage_dir": "`downloads` in *data*",
    "notes_dir": "`notes` in *data*",
    "vector_dir": "`vectors` in *data*",
    "state_dir": "*state*",
    "embedding_cache_dir": "`models` in *cache*",
    "parse_max_concurrency": "2, or the number of cores",
    "jats_max_concurrent_transforms": "4, or the number of cores",
    "pdf_ocr_tessdata_path": "`TESSDATA_PREFIX`",
    "pdf_ocr_server_headers": "`{}`",
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    check = parser.parse_args().check
    wanted = pages() | listing.pages()
    stale = [path for path, text in wanted.items() if not path.is_file() or path.read_text("utf-8") != text]
    for path in stale:
        print("lags behind the code:" if check else "written:", path.relative_to(ROOT))
        if not check:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(wanted[path], "utf-8")
    return int(check and bool(stale))


def pages() -> dict[Path, str]:
    """Every file that is generated without starting the server, with the text it should have."""
    surface = asyncio.run(_surface())
    docs, snapshots = ROOT / "docs", ROOT / "tests" / "snapshots"
    return {
        docs / "configuration.md": configuration(),
        docs / "errors.md": error_page(),
        docs / "command-line.md": commands.page(NOTE),
        docs / "examples.md": examples.page(NOTE),
        docs / "tools.md": tools(surface["tools"]),
        docs / "resources.md": resources(surface),
        snapshots / "tools.json": _json(surface["tools"]),
        snapshots / "resources.json": _json({"resources": surface["resources"], "templates": surface["templates"]}),
    }


async def _surface() -> dict[str, list[dict[str, Any]]]:
    """What clients are told, as JSON."""
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(storage_dir=Path(folder), state_dir=Path(folder))
        async with open_services(settings) as services:
            server = app(services)
            return {
                "tools": [_wire(tool.to_mcp_tool()) for tool in await server.list_tools()],
                "resources": [_wire(resource.to_mcp_resource()) for resource in await server.list_resources()],
                "templates": [_wire(item.to_mcp_template()) for item in await server.list_resource_templates()],
            }


def configuration() -> str:
    """One row for each environment variable, by groups."""
    head = "| variable | default | allowed | what it does |\n| --- | --- | --- | --- |\n"
    text = (
        "The server is configured by environment variables alone: no configuration file, and no `.env`. An empty"
        " value counts as unset. A value that is not allowed stops the start with one line that names the variable,"
        " the value and what is allowed. Proxies and certificates are taken from the usual variables (`HTTPS_PROXY`,"
        " `NO_PROXY`, `SSL_CERT_FILE`, `SSL_CERT_DIR`).\n\n"
        "*data*, *state* and *cache* are the user's folders as the system has them, with `prioris-mcp` at their end: on"
        " Linux those of `XDG_DATA_HOME` (`~/.local/share`), `XDG_STATE_HOME` (`~/.local/state`) and `XDG_CACHE_HOME`"
        " (`~/.cache`); on macOS `~/Library/Application Support`, the same, and `~/Library/Caches`; on Windows"
        " `%LOCALAPPDATA%`.\n\n"
    )
    tables = [f"## {title}\n\n{head}{_settings(group)}" for title, group in GROUPS.items()]
    return f"# Configuration\n\n{NOTE}\n{text}" + "\n".join(tables)


def _settings(group: type[BaseSettings]) -> str:
    return "".join(f"{_setting(name, field)}\n" for name, field in group.model_fields.items())


def _setting(name: str, field: Any) -> str:
    default = _COMPUTED.get(name) or _shown(field.default)
    return f"| `{PREFIX}{name.upper()}` | {default} | {_bounds(field)} | {field.description} |"


def _shown(default: Any) -> str:
    if default is None or default is PydanticUndefined:
        return "unset"
    return f"`{default if isinstance(default, str) else json.dumps(default)}`"


def _bounds(field: Any) -> str:
    """What is allowed, from the field's type and constraints."""
    limits = {
        name: value
        for item in field.metadata
        for name in ("ge", "le", "gt")
        if (value := getattr(item, name, None)) is not None
    }
    words = {"ge": "at least {:g}", "gt": "more than {:g}", "le": "at most {:g}"}
    if limits:
        return ", ".join(words[name].format(value) for name, value in limits.items())
    choices = getattr(field.annotation, "__args__", ())
    if choices and all(isinstance(choice, str) for choice in choices):
        return ", ".join(f"`{choice}`" for choice in choices)
    return {bool: "`true`, `false`"}.get(field.annotation, "")


def error_page() -> str:
    """One row for each category."""
    rows = [
        f"| `{kind.code}` | `{kind.__name__}` | {'yes' if kind.retryable else 'no'} | {inspect.getdoc(kind)} |"
        for kind in _categories()
    ]
    text = (
        "Every failed call is a result with `isError`, whose text is `Error calling tool '<tool>': <sentence>`; the"
        ' sentence ends with what to do. `_meta["prioris-mcp/error"]` holds `code` and `retryable`. A resource that'
        " cannot be read is a JSON-RPC error with the same two in `data`. A few failures of a source do not go away by"
        " trying again, such as a redirect to somewhere else: for them `retryable` is false.\n\n"
    )
    head = "| code | exception | a retry can help | meaning |\n| --- | --- | --- | --- |\n"
    rows.append(
        f"| `{PriorisError.code}` | – | no | A fault of the program: its traceback is in the log, and the sentence is"
        " left out; report it. |"
    )
    return f"# Errors\n\n{NOTE}\n{text}{head}" + "\n".join(rows) + "\n"


def _categories() -> Iterator[type[PriorisError]]:
    for kind in vars(errors).values():
        if isinstance(kind, type) and issubclass(kind, PriorisError) and PriorisError in kind.__bases__:
            yield kind


def tools(listing: list[dict[str, Any]]) -> str:
    """One section for each tool."""
    return f"# Tools\n\n{NOTE}\n" + "\n".join(_tool(tool) for tool in listing)


def _tool(tool: dict[str, Any]) -> str:
    schema, hints = tool["inputSchema"], tool["annotations"]
    required = schema.get("required", [])
    rows = [_parameter(name, field, required=name in required) for name, field in schema["properties"].items()]
    kind = "reads only" if hints["readOnlyHint"] else "writes to the library"
    reach = "asks a source on the network" if hints["openWorldHint"] else "asks no network"
    outputs = ", ".join(f"`{name}`" for name in tool["outputSchema"]["properties"])
    table = "| parameter | type | default | meaning |\n| --- | --- | --- | --- |\n" + "\n".join(rows)
    head = f"## `{tool['name']}`\n\n**{tool['title']}** · {kind} · {reach}\n\n{tool['description']}"
    example = f"[Example](examples.md#{tool['name']})."
    return f"{head}\n\n{table}\n\nReturns {outputs}. {example}\n"


def _parameter(name: str, field: dict[str, Any], *, required: bool) -> str:
    default = "required" if required else _default(field)
    return f"| `{name}` | {_kind(field)}{_range(field)} | {default} | {field.get('description', '')} |"


def _range(field: dict[str, Any]) -> str:
    """Bounds, as they are advertised."""
    least, most = field.get("minimum"), field.get("maximum")
    words = [f"at least {least}" if least is not None else "", f"at most {most}" if most is not None else ""]
    return "".join(f", {word}" for word in words if word)


def _kind(field: dict[str, Any]) -> str:
    if "enum" in field:
        return " or ".join(f"`{value}`" for value in field["enum"])
    if "anyOf" in field:
        return " or ".join(_kind(option) for option in field["anyOf"] if option.get("type") != "null")
    return f"list of {_kind(field['items'])}" if field.get("type") == "array" else str(field.get("type"))


def _default(field: dict[str, Any]) -> str:
    return "–" if field.get("default") is None else f"`{json.dumps(field['default'])}`"


def resources(surface: dict[str, list[dict[str, Any]]]) -> str:
    """One row for each resource."""
    rows = [
        f"| `{item.get('uri') or item['uriTemplate']}` | {item['mimeType']} | {item['description']} |"
        for item in (*surface["resources"], *surface["templates"])
    ]
    text = (
        "Reading a resource never downloads and never parses a document. `{identifier}` is the one that a fetch"
        " returned; any usual spelling of it works, and one that holds a slash may be written raw or as `%2F`."
        " `fulltext` answers with the document's own MIME type.\n\n"
    )
    head = "| address | MIME type | what it is |\n| --- | --- | --- |\n"
    return f"# Resources\n\n{NOTE}\n{text}{head}" + "\n".join(rows) + "\n"


def _wire(item: Any) -> dict[str, Any]:
    found: dict[str, Any] = item.model_dump(mode="json", by_alias=True, exclude_none=True)
    return found


def _json(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    sys.exit(main())
