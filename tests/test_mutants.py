"""The table of mutants: each is still one, and rules that are broken in it are seen."""

from __future__ import annotations

from pathlib import Path

import pytest

from scripts import mutate
from scripts.mutants import MUTANTS, Mutant

ROOT = Path(__file__).resolve().parent.parent


@pytest.mark.parametrize("mutant", MUTANTS, ids=[f"{at}-{each.file}" for at, each in enumerate(MUTANTS)])
def test_every_mutant_is_one(mutant: Mutant) -> None:
    """Its line stands in its file exactly once, breaking it leaves Python, and its tests are there."""
    broken = mutant.applied_to((ROOT / mutant.path).read_text("utf-8"))
    compile(broken, mutant.file, "exec")
    assert mutant.old != mutant.new
    assert all((ROOT / test).is_file() for test in mutant.tests)


def test_no_mutant_stands_twice() -> None:
    """Each breaks something else, and says what."""
    assert len({(each.file, each.old, each.new) for each in MUTANTS}) == len(MUTANTS)
    assert len({each.rule for each in MUTANTS}) == len(MUTANTS)


def test_a_mutant_that_no_test_notices_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One that a test notices is killed; the copy is as it was afterwards."""
    (tmp_path / "src" / "prioris_mcp").mkdir(parents=True)
    (tmp_path / "src" / "prioris_mcp" / "a.py").write_text("ONE, TWO = 1, 2\n")
    (tmp_path / "test_one.py").write_text(
        "from pathlib import Path\n\n"
        "def test_one():\n    assert 'ONE, TWO = 1,' in Path('src/prioris_mcp/a.py').read_text()\n"
    )
    one = Mutant("a.py", "1, 2", "3, 2", ("test_one.py",), "one is 1")
    two = Mutant("a.py", "1, 2", "1, 3", ("test_one.py",), "two is 2")
    assert [mutate.killed(each, tmp_path) for each in (one, two)] == [True, False]
    assert "SURVIVED" in capsys.readouterr().out
    assert (tmp_path / "src" / "prioris_mcp" / "a.py").read_text() == "ONE, TWO = 1, 2\n"
