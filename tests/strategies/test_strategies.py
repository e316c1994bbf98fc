"""Strategies give tours that keep the rules, the same for the same seed, and end in time."""

from __future__ import annotations

import numpy as np
import pytest

from clocks import Never, SteppedSearch
from random_cities import cities
from reference_engine import ReferenceEngine
from run_strategy import searched
from warptour.model.errors import UsageError
from warptour.model.metric import METRICS
from warptour.model.vehicles import VRP
from warptour.observe.events import Note
from warptour.papers.ermis.strategy.vns.vns import VariableNeighborhoodSearch
from warptour.papers.mavroidis.strategy.partition.strategy import Partition
from warptour.papers.oneil.strategy.hill import HillClimbing
from warptour.papers.oneil.strategy.restarts import RandomRestart
from warptour.papers.rocki.strategy import ils as ils_module
from warptour.papers.rocki.strategy.ils import IteratedLocalSearch
from warptour.routes.strategy.route_improvement import RouteImprovement
from warptour.search.search import Search
from warptour.search.stop import Iterations, Seconds
from warptour.search.strategy import Strategy
from warptour.strategies.fallback import run_in_time
from warptour.strategies.registry import STRATEGIES, default_strategy


def vehicles(n: int = 40) -> VRP:
    rng = np.random.default_rng(n)
    demands = rng.integers(1, 10, n)
    demands[0] = 0
    return VRP("vrp", METRICS["EUC_2D"], rng.integers(0, 1000, (n, 2)).astype(float), demands=demands, capacity=40)


@pytest.mark.parametrize("threads", [1, 2, 3])
@pytest.mark.parametrize("strategy", [IteratedLocalSearch(), RandomRestart(), HillClimbing()], ids=lambda s: s.name)
def test_seed_threads_and_iterations_decide_the_tour(strategy: Strategy, threads: int) -> None:
    runs = [searched(strategy, cities(300), Iterations(40), seed=7, threads=threads) for _ in range(2)]
    assert (runs[0].best == runs[1].best).all()
    assert runs[0].iterations == runs[1].iterations == 40


def test_sections_of_a_long_tour_are_deterministic_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ils_module, "MIN_SECTION_CITIES", 100)
    strategy = IteratedLocalSearch(exchange=1)
    runs = [searched(strategy, cities(600), Iterations(3001), seed=7, threads=3) for _ in range(2)]
    assert (runs[0].best == runs[1].best).all()
    assert runs[0].iterations == 3001
    assert runs[0].cost < 1.1 * searched(strategy, cities(600), Iterations(3001), seed=7).cost


@pytest.mark.parametrize("accept", ["better", "equal", "threshold"])
def test_kicks_improve_on_descent(accept: str) -> None:
    problem = cities(400)
    few = searched(IteratedLocalSearch(accept=accept), problem, Iterations(1))
    many = searched(IteratedLocalSearch(accept=accept), problem, Iterations(20_000))
    assert many.cost < 0.99 * few.cost


def test_an_unknown_acceptance_is_refused() -> None:
    with pytest.raises(UsageError, match="better, equal, threshold"):
        searched(IteratedLocalSearch(accept="worse"), cities(10), Iterations(1))  # type: ignore[arg-type]


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("exact", [False, True])
def test_a_climb_that_ends_by_itself_has_proved_its_tour(threads: int, exact: bool) -> None:
    problem, notes = cities(60), []
    search = searched(
        HillClimbing(exact=exact, start="random"), problem, Never(), threads=threads,
        listeners=[lambda event: notes.append(event) if isinstance(event, Note) else None],
    )  # fmt: skip
    assert ReferenceEngine(problem).certify(search.best) is None
    assert "2-optimal" in notes[-1].text


def test_restarts_end_after_their_climbers() -> None:
    search = searched(RandomRestart(climbers=5), cities(50), Never(), threads=2)
    assert search.iterations == 5


def test_every_batch_of_restarts_climbs_from_other_tours() -> None:
    alone, whole, parts = (
        searched(RandomRestart(climbers=climbers, batch=batch), cities(150), Never(), seed=3)
        for climbers, batch in ((2, 2), (12, 12), (12, 2))
    )
    assert parts.cost == whole.cost < alone.cost


@pytest.mark.parametrize("n", [5, 6, 7, 8, 9, 10])
@pytest.mark.parametrize("name", ["hill", "restarts", "ils"])
def test_few_cities_are_enough(name: str, n: int) -> None:
    searched(STRATEGIES[name](), cities(n), Iterations(20), threads=2)


def test_open_paths_and_fixed_edges_are_kept_by_ils_and_refused_by_the_others() -> None:
    path = cities(50, open=True, first=3, last=9)
    fixed = cities(50, fixed_edges=np.array([[0, 40], [40, 7]]))
    for problem in (path, fixed):
        searched(IteratedLocalSearch(), problem, Iterations(2000), threads=2)
        for strategy in (HillClimbing(), RandomRestart()):
            assert "ils" in (strategy.refuses(problem) or "")
    for name in ("hill", "restarts", "ils"):
        assert "vehicle" in (STRATEGIES[name]().refuses(vehicles()) or "")
    assert "one tour" in (RouteImprovement().refuses(path) or "")
    assert isinstance(default_strategy(vehicles()), RouteImprovement)


@pytest.mark.parametrize(
    "strategy",
    [
        *(kind() for name, kind in STRATEGIES.items() if name not in ("dcvrp", "routes")),
        IteratedLocalSearch(repair="all"),
        VariableNeighborhoodSearch(scans="full"),
        Partition(scheme="karp"),
        Partition(inner="hill"),
    ],
    ids=repr,
)
def test_who_keeps_fixed_edges_solves_tours_with_them_and_nobody_else(strategy: Strategy) -> None:
    chained = cities(12, fixed_edges=np.arange(12).reshape(6, 2))
    assert strategy.keeps_fixed_edges == (strategy.refuses(chained) is None)


@pytest.mark.parametrize("name", ["hill", "restarts", "ils"])
def test_a_time_limit_holds(name: str) -> None:
    problem = cities(3000)
    search = SteppedSearch(problem, Seconds(0.2), threads=2)
    run_in_time(STRATEGIES[name](), search)
    assert problem.check(search.best).feasible
    assert search.now < 0.4, "it did not end when it was told to"


def test_of_equally_good_tours_the_last_is_kept_so_that_no_clock_decides() -> None:
    problem, heard = cities(8), []
    search = Search(problem, Iterations(1), listeners=[heard.append])
    tour = np.arange(8, dtype=np.int32)
    turned = np.roll(tour, 3)
    assert search.offer(tour)
    assert not search.offer(turned)
    assert (search.best == turned).all()
    assert len(heard) == 1, "it is no improvement"
