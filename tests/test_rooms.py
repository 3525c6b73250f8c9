"""How the code is parted: packages that a reader keeps apart, no crumbs, and no name for two things."""

from __future__ import annotations

import ast
from collections import Counter, defaultdict
from pathlib import Path

SOURCE = Path(__file__).resolve().parent.parent / "src" / "prioris_mcp"
MOST_MODULES = 16
FEWEST_LINES = 30
BEING_REBUILT = "adapters/parsers/pdf/"
"""The reader of PDFs, whose inside is built anew; until then its rooms are not looked at."""
SMALL_FOR_A_REASON = {
    "__main__.py": "what `python -m` wants",
    "environment.py": "read by parser processes, which must not load the settings",
    "adapters/embedding/background.py": "shared by two models, and special to one system",
    "adapters/http/gates.py": "a port's second implementation over two others",
    "adapters/localfile/provider.py": "a source's folder",
    "adapters/xmltree.py": "the one place that opens XML from strangers",
    "cli/fastmcp_entry.py": "its path is what `fastmcp run` is given",
    "cli/malloc.py": "special to one C library, and called before any thread starts",
    "cli/regular_files.py": "shared by two commands",
    "ports/changes.py": "a port of its own, from which three others are made",
    "server/stdio/serving.py": "one of two ways to serve, loaded without the other",
    "settings/values.py": "shared by three groups of settings",
    "wiring/embedders.py": "loaded by checks, which make no server",
    "wiring/notes.py": "loaded by commands about notes alone",
    "wiring/tokens.py": "loaded where HTTP is served alone",
}


def modules(folder: Path) -> dict[str, Path]:
    """Modules in *folder* by their path in it, but for packages' own and what is being rebuilt."""
    found = {path.relative_to(folder).as_posix(): path for path in sorted(folder.rglob("*.py"))}
    kept = (name for name in found if not name.endswith("__init__.py") and not name.startswith(BEING_REBUILT))
    return {name: found[name] for name in kept}


def crowded(folder: Path) -> list[str]:
    """The packages in *folder* with more modules than a reader keeps apart."""
    counts = Counter(path.parent for path in modules(folder).values())
    return sorted(package.relative_to(folder).as_posix() for package, count in counts.items() if count > MOST_MODULES)


def crumbs(folder: Path) -> list[str]:
    """The modules in *folder* that are hardly any."""
    return [name for name, path in modules(folder).items() if len(path.read_text("utf-8").splitlines()) < FEWEST_LINES]


def twice(folder: Path) -> dict[str, list[str]]:
    """The public classes of *folder* that share their name with another, and where they are."""
    places: defaultdict[str, list[str]] = defaultdict(list)
    for name, path in modules(folder).items():
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places[node.name].append(name)
    return {name: found for name, found in places.items() if len(found) > 1}


def test_no_package_is_crowded():
    """Sixteen modules at most."""
    assert crowded(SOURCE) == []


def test_a_crowded_package_is_seen(tmp_path):
    """The seventeenth module is one too many, wherever the package lies."""
    for package, count in {"full": MOST_MODULES, "crowded": MOST_MODULES + 1, "full/crowded": MOST_MODULES + 1}.items():
        (tmp_path / package).mkdir()
        for name in ["__init__", *(f"module_{number}" for number in range(count))]:
            (tmp_path / package / f"{name}.py").touch()
    assert crowded(tmp_path) == ["crowded", "full/crowded"]


def test_small_modules_have_a_reason():
    """A module that a bound on lines has cut off from another belongs back there; each reason is still needed."""
    assert crumbs(SOURCE) == sorted(SMALL_FOR_A_REASON)


def test_a_crumb_is_seen(tmp_path):
    """One line below the bound, and not one at it."""
    (tmp_path / "small.py").write_text("x = 1\n" * (FEWEST_LINES - 1))
    (tmp_path / "large.py").write_text("x = 1\n" * FEWEST_LINES)
    assert crumbs(tmp_path) == ["small.py"]


def test_no_two_public_classes_have_one_name():
    """A name in a message, an import or a search means one thing."""
    assert twice(SOURCE) == {}


def test_two_classes_of_one_name_are_seen(tmp_path):
    """In whatever packages; private ones, and those inside of others, are nobody else's concern."""
    for name in ("a", "b"):
        (tmp_path / f"{name}.py").write_text("class Note:\n    class Inner: ...\nclass _Row: ...\n")
    assert twice(tmp_path) == {"Note": ["a.py", "b.py"]}
