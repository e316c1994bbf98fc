"""The strategy that CONTRIBUTING.md writes out works like any other."""

from __future__ import annotations

import runpy

import numpy as np
import pytest

import warptour as wt
from documents import ROOT, blocks
from run_strategy import searched


@pytest.fixture(scope="module")
def recipe(tmp_path_factory: pytest.TempPathFactory) -> type[wt.Strategy]:
    """The class of the recipe, imported from a file of its own."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    path = tmp_path_factory.mktemp("recipe") / "random_moves.py"
    path.write_text("\n".join(block.text for block in blocks(text) if block.language == "python"), encoding="utf-8")
    return runpy.run_path(str(path))["RandomMoves"]  # type: ignore[no-any-return]


def test_it_improves_a_tour_by_the_iterations_asked_for(recipe: type[wt.Strategy]) -> None:
    problem = wt.generate("uniform", 100, 1)
    search = searched(recipe(), problem, wt.Iterations(5001), start="random")
    assert search.iterations == 5001
    assert search.cost < 0.8 * problem.cost(np.arange(100))


def test_solve_takes_it(recipe: type[wt.Strategy]) -> None:
    problem = wt.generate("uniform", 100, 1)
    one, two = (wt.solve(problem, recipe(), iterations=2000, seed=3) for _ in range(2))
    assert one.strategy == "random-moves" and one.device == "cpu"
    assert (one.tour == two.tour).all()


def test_its_refusals_and_ranges_are_one_line(recipe: type[wt.Strategy]) -> None:
    with pytest.raises(wt.UnsupportedError, match="closed tours"):
        wt.solve(wt.generate("vrp", 20, 1), recipe())
    with pytest.raises(wt.UsageError, match=r"random-moves: batch is from 1 to 10,000, not 0"):
        wt.solve(wt.generate("uniform", 20, 1), recipe(batch=0))  # type: ignore[call-arg]


def test_what_a_strategy_lacks_is_named() -> None:
    class Half:
        name = "half"

        def run(self, search: wt.Search[wt.TSP]) -> None:
            raise AssertionError

    with pytest.raises(wt.UsageError, match="the strategy Half lacks iteration, refuses, runs_on"):
        wt.solve(wt.generate("uniform", 20, 1), Half())  # type: ignore[arg-type]
