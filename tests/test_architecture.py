"""The rules of the house, checked by machine."""

from __future__ import annotations

import ast
import re
import shutil
import statistics
import subprocess
import sys
from pathlib import Path

import pytest

from scripts import generate

ROOT = Path(__file__).resolve().parent.parent
SOURCES = sorted((ROOT / "src").rglob("*.py"))
CODE = [*SOURCES, *sorted((ROOT / "tests").rglob("*.py")), *sorted((ROOT / "scripts").glob("*.py"))]
MOST_LINES = 300
LONGEST_FUNCTION = 40
LOCKS = sorted((ROOT / "requirements").glob("*.txt"))
VERBS = frozenset({
    "Add", "Apply", "Begin", "Call", "Change", "Check", "Delete", "Forget", "Hold", "Join", "List", "Look", "Make",
    "Merge", "Name", "Open", "Raise", "Read", "Refuse", "Remove", "Renew", "Replace", "Report", "Return",
    "Say", "Show", "Store", "Take", "Tell", "Wait", "Work", "Write"
})  # fmt: skip


def functions(path: Path) -> list[tuple[str, int]]:
    """Name and number of lines of every function, its docstring not counted."""
    found = []
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            first = node.body[0]
            documented = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
            found.append((f"{path.name}:{node.name}", _lines(node) - _lines(first) * documented))
    return found


def _lines(node: ast.stmt) -> int:
    assert node.end_lineno
    return node.end_lineno - node.lineno + 1


def test_no_file_is_long():
    """Files stay at three hundred lines or fewer, tests of the stand-in and tables included."""
    long = [str(path.relative_to(ROOT)) for path in CODE if len(path.read_text("utf-8").splitlines()) > MOST_LINES]
    assert long == []


def test_functions_are_short():
    """None over forty lines, and the median under ten."""
    lines = [found for path in SOURCES for found in functions(path)]
    assert [name for name, length in lines if length > LONGEST_FUNCTION] == []
    assert statistics.median(length for _, length in lines) < 10


def test_every_module_says_what_it_is():
    """A docstring opens every module."""
    assert [
        str(path) for path in CODE if path.stat().st_size and not ast.get_docstring(ast.parse(path.read_text("utf-8")))
    ] == []


def test_every_test_says_what_it_proves():
    """In a sentence."""
    silent = [
        f"{path.name}:{node.name}"
        for path in sorted((ROOT / "tests").rglob("test_*.py"))
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and node.name.startswith("test_")
        and not ast.get_docstring(node)
    ]
    assert silent == []


def not_verb_first(path: Path) -> list[str]:
    """Public functions and methods whose docstring begins with no verb; a property may say what it is."""
    return [
        f"{path.name}:{node.name}"
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (not node.name.startswith("_") or node.name.endswith("__"))
        and not any(isinstance(mark, ast.Name) and mark.id == "property" for mark in node.decorator_list)
        and (said := ast.get_docstring(node))
        and said.split()[0].rstrip(".,:;") not in VERBS
    ]


def test_docstrings_begin_with_a_verb():
    """Those of ports, use cases and domain: "Return …", "Raise …"."""
    package = ROOT / "src" / "prioris_mcp"
    modules = [path for room in ("ports", "app", "domain") for path in sorted((package / room).rglob("*.py"))]
    assert [found for path in modules for found in not_verb_first(path)] == []


def test_a_docstring_without_a_verb_is_seen(tmp_path):
    """Of a function, a method and a constructor; a property, a private function and one without any are left alone."""
    module = tmp_path / "module.py"
    module.write_text(
        'def good():\n    """Return it."""\n'
        'def thing():\n    """The key."""\n'
        'def third():\n    """Returns it."""\n'
        'def _private():\n    """The rest."""\n'
        "def silent():\n    pass\n"
        'class Some:\n    def __init__(self):\n        """*most*: bytes."""\n'
        '    @property\n    def size(self):\n        """Bytes."""\n'
        '    async def whether(self):\n        """Whether it is."""\n',
        "utf-8",
    )
    assert sorted(not_verb_first(module)) == [f"module.py:{name}" for name in ("__init__", "thing", "third", "whether")]


def naming_tools(package: Path) -> list[str]:
    """Modules of *package* outside of the server in which the name of a tool stands, or a part of one."""
    modules = sorted(path.relative_to(package).as_posix() for path in package.rglob("*.py"))
    outside = [name for name in modules if not name.startswith("server/")]
    return [name for name in outside if re.search(r"(?<![A-Za-z])research_", (package / name).read_text("utf-8"))]


def test_names_of_tools_stand_in_the_server_only():
    """An error carries a remedy, for which each user interface has its own words."""
    assert naming_tools(ROOT / "src" / "prioris_mcp") == []


def test_the_name_of_a_tool_is_seen(tmp_path):
    """Whole, in a sentence, or put together; the address of a resource is no tool, nor is another word."""
    (tmp_path / "app").mkdir()
    (tmp_path / "server").mkdir()
    found = {
        "app/whole.py": 'x = "research_find"',
        "app/parts.py": 'x = f"research_{source}_search"',
        "app/said.py": '"""See _research_find."""',
        "app/address.py": 'x = "research://arxiv/categories"',
        "app/word.py": "pre_search_research = my_research = MyResearch_x = 1",
        "server/tools.py": "def research_find(): ...",
    }
    for name, text in found.items():
        (tmp_path / name).write_text(text, "utf-8")
    assert naming_tools(tmp_path) == ["app/parts.py", "app/said.py", "app/whole.py"]


ITS_OWN = ("adapters/{0}/", "domain/sources/{0}", "server/tools/{0}", "models/{0}", "settings/sources")
DECIDES = re.compile(
    r"""(?:\bis(?:\snot)?|==|!=|\bcase|\bisinstance\(.*,|\bLiteral\[.*)\s*(?:ProviderName\()?"""
    r"""(?:["'](arxiv|europepmc|localfile)["']|\b(ARXIV|EUROPEPMC|LOCALFILE)\b|(Arxiv|EuropePmc|LocalFile)Id\b)"""
)


def deciding_by_source(package: Path) -> list[str]:
    """Places in *package* that tell one source from another, outside of the table and of what is the source's own."""
    found = []
    for path in sorted(package.rglob("*.py")):
        name = path.relative_to(package).as_posix()
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
            if match := DECIDES.search(line):
                source = next(filter(None, match.groups())).lower()
                if not name.startswith(tuple(place.format(source) for place in ITS_OWN)):
                    found.append(f"{name}:{number}")
    return found


def test_only_the_table_tells_sources_apart():
    """Whoever wants to know something of a source asks its row."""
    assert deciding_by_source(ROOT / "src" / "prioris_mcp") == []


def test_a_decision_by_source_is_seen(tmp_path):
    """However it is written; a mention decides nothing, and what is the source's own may."""
    lines = [
        'if provider == "arxiv":',
        "if provider is not ARXIV.name:",
        "if provider != ProviderName('europepmc'):",
        "x = 1 if isinstance(found, ArxivId) else 2",
        "case LocalFileId():",
        'provider: Literal["pdf", "arxiv"]',
    ]
    for name in ("app/x.py", "adapters/arxiv/x.py"):
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).write_text("\n".join([*lines, 'upstream("arxiv", "arXiv")', "ARXIV.name: made"]), "utf-8")
    assert deciding_by_source(tmp_path) == [
        *(f"adapters/arxiv/x.py:{number}" for number in (3, 5)),
        *(f"app/x.py:{number}" for number in range(1, 7)),
    ]


def lint_imports(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """Check the contracts of the pyproject.toml in *folder*."""
    command = [str(Path(sys.executable).parent / "lint-imports"), "--no-cache", *options]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


KNOTS = [
    ("adapters/parsers/jats/walk.py", "adapters.parsers.jats.writers"),
    ("adapters/parsers/html/inline.py", "adapters.parsers.html.walk"),
    ("adapters/parsers/markdown/blocks.py", "adapters.parsers.html.elements"),
    ("adapters/parsers/workers/protocol.py", "adapters.parsers.pdf.pictures"),
    ("adapters/sqlite/fts/query.py", "adapters.sqlite.notes.rows"),
    ("app/search/fuse.py", "app.search.find"),
    ("server/arguments/names.py", "server.middleware.errors"),
]


def test_a_circle_is_seen(tmp_path):
    """One import more, for its types alone, closes one: within a package or over several."""
    shutil.copytree(
        ROOT / "src" / "prioris_mcp", tmp_path / "prioris_mcp", ignore=shutil.ignore_patterns("__pycache__")
    )
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    for module, imported in KNOTS:
        knotted = tmp_path / "prioris_mcp" / module
        line = f"if TYPE_CHECKING:\n    import prioris_mcp.{imported}\n"
        knotted.write_text(f"{knotted.read_text('utf-8')}\nfrom typing import TYPE_CHECKING\n\n{line}", "utf-8")
    done = lint_imports(tmp_path, "--contract", "acyclic")
    assert done.returncode == 1, done.stdout + done.stderr
    packages = (
        ".adapters.parsers",
        ".adapters.parsers.html",
        ".adapters.parsers.jats",
        ".adapters.sqlite",
        ".app.search",
    )
    places = [f"in prioris_mcp{package}.\n" for package in (*packages, ".server")]
    assert [said for said in (*places, ".markdown -> .html", ".workers -> .pdf") if said not in done.stdout] == []


@pytest.mark.parametrize("package", ["lxml", "liteparse", "key_value", "numpy", "httpx"])
def test_starting_imports_nothing_heavy(package):
    """What only some calls need is imported by those calls."""
    program = f"import sys, prioris_mcp.cli.serve; sys.exit({package!r} in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


def test_generated_files_are_fresh():
    """Reference pages and snapshots say what the code says; `make docs` writes them anew."""
    stale = [str(path.relative_to(ROOT)) for path, text in generate.pages().items() if path.read_text("utf-8") != text]
    assert stale == []


@pytest.mark.parametrize("lock", LOCKS, ids=lambda path: path.name)
def test_locks_have_hashes_and_name_no_registry(lock):
    """Every requirement is pinned with its hashes, wherever it is downloaded from."""
    text = lock.read_text("utf-8")
    pinned = [line for line in text.splitlines() if line and not line.startswith((" ", "#"))]
    assert pinned
    assert [line for line in pinned if "==" not in line or not line.endswith("\\")] == []
    assert "://" not in text


def test_nobody_is_told_to_install_by_bare_name():
    """The name belongs to another program on the public index: we install from the checkout or a wheel."""
    files = ("Makefile", "pyproject.toml", "Dockerfile", ".ci/run")
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "scripts").glob("*.py")]
    pages += [ROOT / name for name in files]
    for page in pages:
        for line in page.read_text("utf-8").splitlines():
            assert not any(f"{tool} prioris-mcp" in line for tool in ("install", "uvx", "run", "add")), (
                f"{page.name}: {line}"
            )
