"""Break one rule at a time, and see that a test notices.

    python -m scripts.mutate [WORD ...]

Each row of ``scripts/mutants.py`` is applied to a copy of the tree, and the tests that hold its rule are run there;
they must fail. With words only the mutants whose file or sentence has one of them. Exit code 1: one has survived.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from scripts.mutants import MUTANTS, Mutant

ROOT = Path(__file__).resolve().parent.parent
_TREE = ("src", "tests", "scripts", "benchmarks")
_FAILED = 1
"""pytest's exit code where tests ran and failed; an error of another kind proves nothing."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("words", nargs="*")
    words = parser.parse_args().words
    chosen = [each for each in MUTANTS if not words or any(word in each.file + each.rule for word in words)]
    with tempfile.TemporaryDirectory() as folder:
        copy(Path(folder))
        survived = [each for each in chosen if not killed(each, Path(folder))]
    print(f"{len(chosen) - len(survived)} of {len(chosen)} mutants were killed")
    sys.exit(bool(survived) or not chosen)


def copy(tree: Path) -> None:
    """Copy what tests need into *tree*."""
    for name in _TREE:
        shutil.copytree(ROOT / name, tree / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tree)


def killed(mutant: Mutant, tree: Path) -> bool:
    """Whether the tests of *mutant* fail in *tree* while it is applied."""
    started = time.monotonic()
    with applied(mutant, tree):
        command = [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-x",
            "-p",
            "no:cacheprovider",
            "-p",
            "no:xdist",
            *mutant.tests,
        ]
        # The path comes before what is installed, for the servers that a test starts as well.
        env = {**os.environ, "PYTHONPATH": str(tree / "src"), "PYTHONDONTWRITEBYTECODE": "1"}
        done = subprocess.run(command, cwd=tree, env=env, capture_output=True, text=True, check=False)
    verdict = {_FAILED: "killed", 0: "SURVIVED"}.get(done.returncode, "NOT RUN")
    print(f"{verdict:8} {time.monotonic() - started:5.1f} s  {mutant.file}: {mutant.rule}", flush=True)
    if verdict == "NOT RUN":
        print(done.stdout[-2000:] + done.stderr[-2000:])
    return verdict == "killed"


@contextmanager
def applied(mutant: Mutant, tree: Path) -> Iterator[None]:
    """*tree* with the mutant in it; as it was, afterwards."""
    path = tree / mutant.path
    text = path.read_text("utf-8")
    path.write_text(mutant.applied_to(text), "utf-8")
    try:
        yield
    finally:
        path.write_text(text, "utf-8")


if __name__ == "__main__":
    main()
