"""Descents by full scans end in proofs, and make the moves of the reference when asked to."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from clocks import Never
from random_cities import cities
from reference_engine import ReferenceEngine
from run_strategy import searched
from warptour.model.metric import METRICS
from warptour.model.problem import TSP
from warptour.neighborhoods import ThreeOpt
from warptour.observe.events import Note
from warptour.papers.ermis.strategy.descent import Descent
from warptour.search.search import Search
from warptour.search.stop import Iterations, Stop


def descended(strategy: Descent, problem: TSP, stop: Stop, **options: object) -> tuple[Search, list[str]]:
    """Return the search and what it noted."""
    notes: list[str] = []
    listeners = [lambda event: notes.append(event.text) if isinstance(event, Note) else None]
    return searched(strategy, problem, stop, listeners=listeners, **options), notes


def improving_moves(problem: TSP, tour: np.ndarray) -> int:
    i, j, k = np.array(list(combinations(range(len(tour)), 3))).T
    return int((ThreeOpt().deltas(problem, tour, i, j, k) < -1e-6).sum())


@pytest.mark.parametrize("metric", ["EUC_2D", "EUCLIDEAN"])
@pytest.mark.parametrize("strategy", [Descent(), Descent(parts=5), Descent(quick=False), Descent(("2opt", "3opt"))])
def test_a_descent_that_ends_by_itself_is_three_optimal(strategy: Descent, metric: str) -> None:
    problem = cities(90, metric)
    search, notes = descended(strategy, problem, Never(), threads=2)
    assert improving_moves(problem, search.best) == 0
    assert "3-optimal: " in notes[0]
    assert "3-opt: " in notes[-1] and "gain" in notes[-1]


def test_an_exact_descent_makes_the_moves_of_the_reference() -> None:
    problem, tour = cities(10), np.random.default_rng(5).permutation(10).astype(np.int32)
    search, _ = descended(Descent(exact=True, quick=False), problem, Never(), start=tour)
    assert (search.best == ReferenceEngine(problem, "3-opt").descend(tour)).all()


def test_every_neighbourhood_of_the_list_is_exhausted() -> None:
    problem = cities(25)
    search, notes = descended(Descent(("swap", "relocate", "oropt", "2opt"), quick=False, start="random"), problem,
                             Never())  # fmt: skip
    for name in ("swap", "relocate", "or-opt", "2-opt"):
        assert ReferenceEngine(problem, name).certify(search.best) is None
    assert "2-optimal: " in notes[0]


def test_scans_are_counted_and_limited() -> None:
    search, notes = descended(Descent(quick=False, start="random"), cities(100), Iterations(3))
    assert search.iterations == 3
    assert search.moves == 3 * (4 * 161_700 - 100)
    assert len(notes) == 1, "nothing was proved"


@pytest.mark.parametrize("n", [3, 4, 5, 8])
def test_few_cities_are_enough(n: int) -> None:
    descended(Descent(("2opt", "oropt", "swap", "3opt")), cities(n), Never())


def test_what_cannot_be_done_is_refused() -> None:
    assert "ils" in (Descent().refuses(cities(50, open=True)) or "")
    many = TSP("many", METRICS["EUC_2D"], np.zeros((20_001, 2)))
    assert "20000 cities" in (Descent().refuses(many) or "")
    assert Descent(("2-opt",)).refuses(many) is None
