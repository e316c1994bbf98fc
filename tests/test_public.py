"""What a user imports: ``warptour.__all__`` is sorted, true and complete."""

from __future__ import annotations

import subprocess
import sys
from types import ModuleType

import warptour


def test_the_public_names_are_sorted() -> None:
    assert list(warptour.__all__) == sorted(set(warptour.__all__))


def test_every_public_name_is_there() -> None:
    assert [name for name in warptour.__all__ if not hasattr(warptour, name)] == []


def test_every_name_that_is_there_is_public() -> None:
    present = {
        name
        for name, value in vars(warptour).items()
        if not name.startswith("_") and name != "annotations" and not isinstance(value, ModuleType)
    }
    assert sorted(present - set(warptour.__all__)) == []


def test_the_solvers_load_no_paper_and_papers_are_loaded_when_they_are_used() -> None:
    program = """
import sys
import warptour as wt

def papers():
    return [name for name in sys.modules if name.startswith("warptour.papers")]

wt.solve(wt.generate("uniform", 60, 1), iterations=5)
wt.solve(wt.generate("vrp", 20, 1), iterations=5)
print(papers())
print(wt.HillClimbing.name, "warptour.papers.oneil.strategy.hill" in papers(), wt.Partition is wt.Partition)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["[]", "hill True True"]
