"""Variable neighbourhood search: the same for the same seed, better for more neighbourhoods, and it says who did it.

By full scans, it makes the moves of the reference on every device.
"""

from __future__ import annotations

import numpy as np
import pytest

from clocks import Looks
from random_cities import cities
from reference_engine import ReferenceEngine
from run_strategy import searched
from warptour.devices import Device, find
from warptour.model.errors import UsageError
from warptour.model.metric import METRICS
from warptour.model.problem import TSP
from warptour.model.vehicles import VRP
from warptour.observe.events import Note
from warptour.papers.ermis.strategy.vns.scans import ScanShaker
from warptour.papers.ermis.strategy.vns.vns import VariableNeighborhoodSearch
from warptour.papers.scans.full import full_scans
from warptour.papers.scans.neighborhood_names import spelled
from warptour.search.search import Search
from warptour.search.stop import Iterations
from warptour.search.worker import Budget

FULL = VariableNeighborhoodSearch(scans="full")


@pytest.mark.threads
@pytest.mark.parametrize("threads", [1, 2, 3])
def test_seed_threads_and_iterations_decide_the_tour(threads: int) -> None:
    strategy = VariableNeighborhoodSearch(exchange=1)
    runs = [searched(strategy, cities(200), Iterations(701), seed=7, threads=threads) for _ in range(2)]
    assert (runs[0].best == runs[1].best).all()
    assert runs[0].iterations == runs[1].iterations == 701


@pytest.mark.parametrize("n", [3, 5, 7, 8, 9, 10])
def test_few_cities_are_enough(n: int) -> None:
    searched(VariableNeighborhoodSearch(), cities(n), Iterations(20) | Looks(200), threads=2)


def test_shakes_improve_on_descent() -> None:
    few, many = (searched(VariableNeighborhoodSearch(), cities(400), Iterations(count)) for count in (1, 5000))
    assert many.cost < 0.99 * few.cost


def test_more_neighbourhoods_end_deeper() -> None:
    costs = [
        searched(VariableNeighborhoodSearch(names, start="random"), cities(400), Iterations(1), seed=1).cost
        for names in (("swap",), ("2-opt",), ("2-opt", "or-opt"), ("2-opt", "or-opt", "3-opt"))
    ]
    assert costs == sorted(costs, reverse=True)


def test_each_neighbourhood_is_told_its_share() -> None:
    problem, heard = cities(300), []
    search = Search(problem, Iterations(300), listeners=[heard.append])
    strategy = VariableNeighborhoodSearch(("2opt", "oropt", "3opt", "swap"), start="random")
    shares = strategy.contribute(search)
    assert [share.neighborhood for share in shares] == ["2-opt", "or-opt", "3-opt", "swap"]
    assert all(
        share.moves > 0 and share.gain > 0 and share.evaluations > 0 and share.seconds > 0 for share in shares[:3]
    )
    assert shares[0].gain > problem.cost(np.arange(300)) / 2
    strategy.run(Search(problem, Iterations(10), listeners=[heard.append]))
    last = [event for event in heard if isinstance(event, Note)][-1]
    assert last.lasting
    assert "3-opt: " in last.text and " moves, gain " in last.text


def test_open_paths_and_fixed_edges_are_kept() -> None:
    for problem in (cities(50, open=True, first=3, last=9), cities(50, fixed_edges=np.array([[0, 40], [40, 7]]))):
        searched(VariableNeighborhoodSearch(), problem, Iterations(500), threads=2)


def test_what_cannot_be_done_is_refused() -> None:
    vehicles = VRP("vrp", METRICS["EUC_2D"], np.eye(3)[:, :2], demands=np.array([0, 1, 1]), capacity=2)
    assert "vehicle" in (VariableNeighborhoodSearch().refuses(vehicles) or "")
    for names, word in ((("5-opt",), "there are 2-opt"), ((), "at least one"), (("swap", "Swap"), "each of them once")):
        with pytest.raises(UsageError, match=word):
            VariableNeighborhoodSearch(names)


class SlowShaker(ScanShaker):
    """The same search by the moves of the reference."""

    def _scan(self, level: int) -> None:
        reference = ReferenceEngine(self.problem, self.scans[level].name)
        move = reference.certify(self._trial)
        if move is not None:
            self._trial = reference.apply(self._trial, move)
        self._level = level + 1 if move is None else 0


@pytest.mark.long_on_opencl("EUCLIDEAN")
@pytest.mark.parametrize(("metric", "side"), [("EUC_2D", 500), ("EUC_2D", 3), ("EUCLIDEAN", 500)])
def test_full_scans_make_the_moves_of_the_reference(device: Device, metric: str, side: int) -> None:
    problem, tour = cities(10, metric, side=side), np.arange(10, dtype=np.int32)
    names = ["2-opt", "swap", "relocate", "or-opt", "3-opt"]
    quick, slow = (
        kind(problem, tour, full_scans(problem, device, names), rng=np.random.default_rng(5), slack=20.0)
        for kind in (ScanShaker, SlowShaker)
    )
    for _ in range(3):
        for worker in (quick, slow):
            goal = worker.iterations + 1
            while worker.iterations < goal:
                worker.step(Budget(goal - worker.iterations))
        assert (quick._tour == slow._tour).all()
        assert quick.cost == slow.cost


def test_full_scans_make_the_same_moves_on_every_device(accelerator: Device) -> None:
    problem = cities(150)
    runs = [searched(FULL, problem, Iterations(6), seed=3, device=device) for device in (find("cpu", 2), accelerator)]
    assert (runs[0].best == runs[1].best).all()
    assert [run.moves for run in runs] == [runs[0].moves] * 2


@pytest.mark.long_on_opencl
def test_the_same_searches_make_the_same_moves_on_every_device(accelerator: Device) -> None:
    strategy = VariableNeighborhoodSearch(searches=6, exchange=1)
    runs = [
        searched(strategy, cities(200), Iterations(3001), seed=7, device=device)
        for device in (find("cpu", 1), find("cpu", 2), accelerator)
    ]
    assert all((run.best == runs[0].best).all() for run in runs)
    assert [(run.iterations, run.moves) for run in runs] == [(3001, runs[0].moves)] * 3


@pytest.mark.threads
def test_full_scans_are_decided_by_seed_and_iterations_alone() -> None:
    runs = [searched(FULL, cities(120), Iterations(8), seed=7, threads=threads) for threads in (1, 2)]
    assert (runs[0].best == runs[1].best).all()
    assert runs[0].iterations == runs[1].iterations == 8


@pytest.mark.parametrize("n", [3, 7, 8, 9])
def test_full_scans_of_few_cities(n: int) -> None:
    searched(FULL, cities(n), Iterations(5) | Looks(200))


def test_shakes_improve_on_the_descent_by_full_scans() -> None:
    problem, plain = cities(100), VariableNeighborhoodSearch(("2-opt", "relocate"), scans="full")
    few, many = (searched(plain, problem, Iterations(count)) for count in (1, 60))
    assert many.cost < few.cost
    for name in plain.neighborhoods:
        assert ReferenceEngine(problem, name).certify(many.best) is None


def test_full_scans_tell_what_each_neighbourhood_contributed() -> None:
    strategy = VariableNeighborhoodSearch(("2-opt", "swap"), scans="full", start="random")
    first, second = strategy.contribute(Search(cities(60), Iterations(2)))
    assert first.moves > 0 and first.gain > 0 and first.evaluations % (60 * 57 // 2) == 0
    assert second.neighborhood == "swap" and second.seconds > 0


def test_full_scans_refuse_in_one_line_what_they_cannot_do() -> None:
    assert FULL.runs_on(cities(9)) == ("cuda", "opencl", "cpu")
    assert VariableNeighborhoodSearch().runs_on(cities(9)) == ("cpu", "cuda", "opencl")
    many = TSP("many", METRICS["EUC_2D"], np.zeros((20_001, 2)))
    assert "scans=near" in (FULL.refuses(many) or "")
    assert VariableNeighborhoodSearch(("2-opt",), scans="full").refuses(many) is None
    for problem, word in (
        (cities(50, open=True), "open paths"),
        (cities(50, fixed_edges=np.array([[0, 40]])), "fixed edges"),
        (VRP("vrp", METRICS["EUC_2D"], np.eye(3)[:, :2], demands=np.array([0, 1, 1]), capacity=2), "vehicle"),
    ):
        assert word in (FULL.refuses(problem) or "")
    with pytest.raises(UsageError, match="there are near, full"):
        VariableNeighborhoodSearch(scans="all")  # type: ignore[arg-type]


def test_names_are_understood_with_and_without_dashes() -> None:
    assert spelled("2opt, Or-Opt,3_opt", ["2-opt", "3-opt", "or-opt"]) == ["2-opt", "or-opt", "3-opt"]
