"""hill, restarts and ils around full scans, by the same code on every device."""

from __future__ import annotations

import numpy as np
import pytest

from clocks import Looks, Never
from random_cities import cities
from reference_engine import ReferenceEngine
from run_strategy import searched
from warptour.devices import Device, find
from warptour.model.errors import UnsupportedError, UsageError
from warptour.observe.events import Note
from warptour.papers.ermis.strategy.descent import Descent
from warptour.papers.oneil.strategy.hill import HillClimbing
from warptour.papers.oneil.strategy.restarts import RandomRestart
from warptour.papers.rocki.strategy.ils import IteratedLocalSearch
from warptour.search.stop import Iterations
from warptour.search.strategy import Strategy
from warptour.tours.starts.start import start


@pytest.mark.parametrize("metric", ["EUC_2D", "CEIL_2D"])
@pytest.mark.parametrize("how", ["best", "many"])
def test_a_hill_is_climbed_to_a_proved_top(device: Device, how: str, metric: str) -> None:
    problem, notes = cities(90, metric), []
    told = [lambda event: notes.append(event.text) if isinstance(event, Note) else None]
    strategy = HillClimbing(start="random", apply=how)
    search = searched(strategy, problem, Never(), device=device, threads=2, listeners=told)
    assert ReferenceEngine(problem).certify(search.best) is None
    assert "2-optimal" in notes[-1]


def test_an_exact_climb_makes_the_moves_of_the_reference(device: Device) -> None:
    problem, tour = cities(40), np.random.default_rng(5).permutation(40).astype(np.int32)
    search = searched(HillClimbing(exact=True), problem, Never(), device=device, threads=2, start=tour)
    assert (search.best == ReferenceEngine(problem).descend(tour)).all()


@pytest.mark.parametrize("n", [30, 80])
def test_the_best_climber_is_proved_and_the_same_everywhere(device: Device, n: int) -> None:
    problem = cities(n)
    search = searched(RandomRestart(climbers=6), problem, Never(), device=device, threads=2, seed=3)
    assert search.iterations == 6
    assert ReferenceEngine(problem).certify(search.best) is None
    again = searched(RandomRestart(climbers=6, batch=2), problem, Never(), device=find("cpu", 1), threads=2, seed=3)
    assert search.cost == again.cost


@pytest.mark.parametrize(
    "strategy",
    [RandomRestart(), RandomRestart(batch=9), HillClimbing(), IteratedLocalSearch(repair="all"), Descent(quick=False)],
    ids=["restarts", "restarts in batches", "hill", "ils", "descent"],
)
def test_whenever_a_search_ends_it_has_a_tour(strategy: Strategy) -> None:
    for evaluations in range(1, 12):
        searched(strategy, cities(90), Looks(evaluations), device=find("cpu", 2), threads=2)


def test_restarts_without_a_local_minimum_give_a_simple_tour_and_say_so() -> None:
    problem, notes = cities(1000), []
    told = [lambda event: notes.append(event.text) if isinstance(event, Note) else None]
    search = searched(RandomRestart(), problem, Looks(4), device=find("cpu", 1), threads=2, listeners=told)
    assert search.iterations == 0 and "more time" in notes[-1]
    assert search.cost <= problem.cost(start(problem, "curve"))


def test_a_limit_on_climbers_leaves_the_best_one_proved() -> None:
    problem, notes = cities(80), []
    told = [lambda event: notes.append(event.text) if isinstance(event, Note) else None]
    search = searched(RandomRestart(), problem, Iterations(5), device=find("cpu", 2), threads=2, listeners=told)
    assert search.iterations == 5 and "2-optimal" in notes[-1]


@pytest.mark.parametrize("chains", [1, 3])
def test_kicks_improve_on_the_first_local_minimum(device: Device, chains: int) -> None:
    problem = cities(150)
    strategy = IteratedLocalSearch(repair="all", chains=chains, segment=20)
    runs = [searched(strategy, problem, Iterations(count), device=device, threads=2, seed=1) for count in (1, 60, 60)]
    assert runs[1].cost < runs[0].cost
    assert (runs[1].best == runs[2].best).all() and runs[1].iterations == 60


def test_what_cannot_be_done_is_said_in_a_sentence() -> None:
    path = cities(80, open=True)
    assert "open paths" in (IteratedLocalSearch(repair="all").refuses(path) or "")
    assert IteratedLocalSearch().refuses(path) is None
    with pytest.raises(UsageError, match="auto, near, all"):
        searched(IteratedLocalSearch(repair="far"), cities(80), Iterations(1), device=find("cpu", 1), threads=2)
    with pytest.raises(UsageError, match="best, many"):
        searched(HillClimbing(apply="some"), cities(80), Iterations(1), device=find("cpu", 1), threads=2)


def test_neighbour_lists_stay_on_the_cpu(accelerator: Device) -> None:
    with pytest.raises(UnsupportedError, match="repair=all"):
        searched(IteratedLocalSearch(repair="near"), cities(80), Iterations(1), device=accelerator, threads=2)
    with pytest.raises(UnsupportedError, match="open paths"):
        searched(IteratedLocalSearch(), cities(80, open=True), Iterations(1), device=accelerator, threads=2)
