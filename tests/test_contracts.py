"""What the import contracts and their neighbours must catch: each line here is a mistake, made in a copy."""

from __future__ import annotations

import ast
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src" / "prioris_mcp"
FLOORS = "imports point down, and every module has its floor"
ALONE = "adapters stand alone over the toolkits, which know none of them"
FASTMCP = "only the server knows FastMCP"
PURE = "the domain is pure"
OUTSIDE = "the outside is met in adapters only"

PROBES = [
    ("app/read.py", "prioris_mcp.settings", FLOORS),
    ("adapters/arxiv/atom.py", "prioris_mcp.settings", FLOORS),
    ("domain/markdown.py", "prioris_mcp.log", FLOORS),
    ("domain/chunks.py", "prioris_mcp.models.arxiv", FLOORS),
    ("models/base.py", "prioris_mcp.ports.changes", FLOORS),
    ("server/text.py", "prioris_mcp.adapters.owners", FLOORS),
    ("server/arguments/params.py", "prioris_mcp.settings.http", FLOORS),
    ("errors.py", "prioris_mcp.redaction", FLOORS),
    ("remedies.py", "prioris_mcp.errors", FLOORS),
    ("ports/uploads.py", "prioris_mcp.app.uploads", FLOORS),
    ("newcomer.py", "prioris_mcp.errors", FLOORS),
    ("adapters/notefiles/folder.py", "prioris_mcp.adapters.filesystem.blobs", ALONE),
    ("adapters/tokens/file.py", "prioris_mcp.adapters.arxiv.atom", ALONE),
    ("adapters/sqlite/database_file.py", "prioris_mcp.adapters.filesystem.blobs", ALONE),
    ("adapters/xmltree.py", "prioris_mcp.adapters.http.gateway", ALONE),
    ("adapters/zenodo/client.py", "prioris_mcp.errors", ALONE),
    ("redaction.py", "fastmcp", FASTMCP),
    ("domain/instants.py", "os", PURE),
    ("app/notes/notes.py", "apsw", OUTSIDE),
]


@pytest.fixture(scope="module")
def broken(tmp_path_factory: pytest.TempPathFactory) -> str:
    """What the contracts say of a copy in which all the mistakes were made at once."""
    copy = tmp_path_factory.mktemp("copy")
    shutil.copytree(SOURCE, copy / "prioris_mcp", ignore=shutil.ignore_patterns("__pycache__", "data"))
    shutil.copy2(ROOT / "pyproject.toml", copy)
    for name, imported, _ in PROBES:
        path = copy / "prioris_mcp" / name
        path.parent.mkdir(exist_ok=True)
        if not path.exists():
            (path.parent / "__init__.py").touch()
            path.touch()
        path.write_text(path.read_text("utf-8") + f"\nimport {imported}\n", "utf-8")
    program = "import sys; sys.path.insert(0, '.'); from importlinter.cli import lint_imports_command as c; c()"
    done = subprocess.run(
        [sys.executable, "-c", program, "--no-cache"], cwd=copy, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1, done.stderr
    return done.stdout


@pytest.mark.parametrize(("name", "imported", "contract"), PROBES, ids=[f"{name}: {it}" for name, it, _ in PROBES])
def test_a_wrong_import_breaks_its_contract(broken: str, name: str, imported: str, contract: str) -> None:
    """It is named with both ends, under the contract that forbids it."""
    assert f"{contract} BROKEN" in broken
    module = "prioris_mcp." + name.removesuffix(".py").replace("/", ".")
    found = " ".join(broken.split(f"\n{contract}\n-", 1)[1].split())  # long lines are wrapped
    # One that stands on no floor is named alone.
    alone = name in ("newcomer.py", "adapters/zenodo/client.py")
    assert (f"- {module.removesuffix('.client')}" if alone else f"{module} -> {imported}") in found


READS_ENVIRONMENT = {
    "settings/": "every setting",
    "__init__.py": "switches of libraries, before any is imported",
    "environment.py": "variables of other programs",
    "cli/malloc.py": "whether somebody chose how memory is given back",
    "adapters/parsers": "what a parser process inherits",
    "server/__init__.py": "sets what FastMCP reads",
    "adapters/embedding/fastembed_model.py": "sets what keeps the libraries silent",
}
"""Where `os.environ` may stand, and why."""


def _touching(source: str) -> bool:
    return any(
        (
            isinstance(node, ast.Attribute)
            and node.attr in ("environ", "environb", "getenv", "putenv")
            and isinstance(node.value, ast.Name)
            and node.value.id == "os"
        )
        or (
            isinstance(node, ast.ImportFrom)
            and node.module == "os"
            and any(each.name in ("environ", "environb", "getenv", "putenv") for each in node.names)
        )
        for node in ast.walk(ast.parse(source))
    )


def test_the_environment_is_met_in_named_places() -> None:
    """Whoever needs a setting is handed it."""
    met = {path.relative_to(SOURCE).as_posix() for path in SOURCE.rglob("*.py") if _touching(path.read_text("utf-8"))}
    strangers = [name for name in met if not name.startswith(tuple(READS_ENVIRONMENT))]
    assert strangers == []
    assert [place for place in READS_ENVIRONMENT if not any(name.startswith(place) for name in met)] == []


@pytest.mark.parametrize(
    ("source", "caught"),
    [
        ("import os\nx = os.environ['A']", True),
        ("import os\nx = os.getenv('A')", True),
        ("from os import environ", True),
        ("import os\nx = os.path", False),
        ("x = 'os.environ'", False),
    ],
)
def test_any_way_to_the_environment_is_seen(source: str, caught: bool) -> None:
    """So that the test above means something."""
    assert _touching(source) is caught
