"""Symmetric 2-opt and annealing as strategies: feasible, repeatable, 2-optimal at the end, and in time."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from clocks import Never, SteppedSearch
from random_cities import cities
from run_strategy import searched
from warptour.model.errors import UsageError
from warptour.observe.events import Note, Step
from warptour.papers.mavroidis.strategy.annealing import Annealing
from warptour.papers.mavroidis.strategy.symmetric import SymmetricTwoOpt, batches
from warptour.papers.scans.two_opt import TwoOptEngine
from warptour.search.search import Search
from warptour.search.stop import Iterations, Seconds
from warptour.search.strategy import Strategy
from warptour.strategies.fallback import run_in_time
from warptour.tours.starts.start import start


@pytest.mark.parametrize("strategy", [SymmetricTwoOpt(tours=3), Annealing(tours=3)], ids=lambda s: s.name)
@pytest.mark.parametrize("threads", [1, 2])
def test_seed_and_rounds_decide_the_tour(strategy: Strategy, threads: int) -> None:
    one, other = (searched(strategy, cities(80), Iterations(3000), seed=4, threads=threads) for _ in range(2))
    assert (one.best == other.best).all()
    assert one.iterations == other.iterations <= 3000


@pytest.mark.parametrize("strategy", [SymmetricTwoOpt(), Annealing()], ids=lambda s: s.name)
@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 6, 9])
def test_the_smallest_tours_are_tours(strategy: Strategy, n: int) -> None:
    searched(strategy, cities(n), Iterations(200))


def test_a_descent_ends_by_itself_with_a_proof() -> None:
    notes = []
    search = searched(
        SymmetricTwoOpt(),
        cities(90),
        Never(),
        listeners=[lambda e: notes.append(e) if isinstance(e, Note) else None],
    )
    assert "2-optimal" in notes[-1].text
    assert TwoOptEngine(search.problem).certify(search.best) is None


def test_annealing_beats_the_descent_and_ends_two_optimal() -> None:
    problem = cities(100)
    descent = searched(SymmetricTwoOpt(), problem, Never())
    annealed = searched(Annealing(tours=1), problem, Iterations(60_000), seed=1)
    assert annealed.cost < descent.cost
    assert TwoOptEngine(problem).certify(annealed.best) is None


@pytest.mark.parametrize("limit", ["rounds", "time"])
def test_annealing_cools_geometrically_over_its_budget(limit: str) -> None:
    kind, stop = (Search, Iterations(20_000)) if limit == "rounds" else (SteppedSearch, Seconds(4.0))
    told: list[float] = []
    search = kind(
        cities(60), stop, listeners=[lambda e: told.append(e.facts["temperature"]) if isinstance(e, Step) else None]
    )
    run_in_time(Annealing(tours=1, hot=0.5, cold=0.03), search)
    edge = search.problem.cost(start(search.problem, "greedy", 0)) / search.problem.n
    heats = [heat / edge for heat in told]
    ratios = [later / earlier for earlier, later in pairwise(heats)]
    assert heats[0] == pytest.approx(0.5, rel=0.05)
    assert 0.03 <= heats[-1] < 0.034
    assert len(heats) > 30
    assert max(ratios) < 1
    assert max(ratios) / min(ratios) < 1.1


def test_annealing_ends_in_time() -> None:
    search = SteppedSearch(cities(60), Seconds(0.3))
    run_in_time(Annealing(), search)
    assert search.problem.check(search.best).feasible
    assert search.now < 1


@pytest.mark.parametrize(
    "values", [{"hot": 0.1, "cold": 0.2}, {"cold": 0.0}, {"descent": 1.0}, {"decrement": 0.0}, {"cooling": "fast"}]
)
def test_schedules_that_make_no_sense_are_refused(values: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"hot|descent|decrement|cooling"):
        Annealing(**values)


@pytest.mark.parametrize("strategy", [SymmetricTwoOpt, Annealing], ids=lambda s: s.name)
def test_both_forms_find_the_same_tour(strategy: type[SymmetricTwoOpt | Annealing]) -> None:
    one, other = (
        searched(strategy(tours=2, form=form, block=7), cities(60), Iterations(2000), seed=3)  # type: ignore[arg-type]
        for form in ("group", "blocks")
    )
    assert (one.best == other.best).all()
    with pytest.raises(UsageError, match="unknown form 'ring'; there are group, blocks"):
        strategy(form="ring")  # type: ignore[arg-type]


def test_cooling_in_steps_ends_by_itself_and_keeps_to_its_rounds() -> None:
    heats = []
    strategy = Annealing(cooling="steps", hot=0.3, decrement=0.1, level=500, tours=1, start="file")
    search = searched(
        strategy,
        cities(80),
        Never(),
        seed=1,
        listeners=[lambda e: heats.append(e.facts["temperature"]) if isinstance(e, Step) else None],
    )
    assert [round(heat / heats[-1]) for heat in heats] == [3, 2, 1]
    assert search.iterations > 3 * 500
    assert TwoOptEngine(search.problem).certify(search.best) is None


@pytest.mark.parametrize("strategy", [SymmetricTwoOpt, Annealing], ids=lambda s: s.name)
def test_more_tours_than_fit_side_by_side_are_worked_on_in_batches(
    strategy: type[SymmetricTwoOpt | Annealing], monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = searched(strategy(tours=7), cities(40), Iterations(200_000), seed=2)
    monkeypatch.setattr("warptour.papers.mavroidis.strategy.symmetric.MAX_TOURS", 3)
    assert list(batches(7, 40)) == [(0, 3), (3, 3), (6, 1)]
    parts = searched(strategy(tours=7), cities(40), Iterations(200_000), seed=2)
    if strategy is SymmetricTwoOpt:
        assert parts.cost == whole.cost


@pytest.mark.parametrize("strategy", [SymmetricTwoOpt, Annealing], ids=lambda s: s.name)
def test_no_batch_begins_after_an_interrupt(strategy: type[SymmetricTwoOpt | Annealing]) -> None:
    search = Search(cities(500), Iterations(10**9))
    search.interrupt()
    run_in_time(strategy(tours=10**9), search)
    assert search.best is not None
    assert search.iterations == 0
