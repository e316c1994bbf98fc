"""Strategies that scan all moves share the scans of all devices of a search."""

from __future__ import annotations

import pytest

from failing_device import Failing
from random_cities import cities
from run_strategy import searched
from warptour.devices import DeviceError
from warptour.devices.cpu import Cpu
from warptour.model.errors import UsageError
from warptour.observe.events import Event, Note, Workers
from warptour.papers.ermis.strategy.descent import Descent
from warptour.papers.oneil.strategy.hill import HillClimbing
from warptour.papers.rocki.strategy.ils import IteratedLocalSearch
from warptour.papers.scans import engines as sharing
from warptour.papers.scans import team
from warptour.search.search import Search
from warptour.search.stop import Iterations
from warptour.search.strategy import Strategy
from warptour.tours.starts.start import first_tour


@pytest.fixture(autouse=True)
def nobody_rests(monkeypatch: pytest.MonkeyPatch) -> None:
    """Has every scanner share every pass, however late it is: what fails must have its turn."""
    monkeypatch.setattr(team, "RESTED", 0)


TWO = [Cpu(1), Cpu(1)]


@pytest.mark.parametrize("metric", ["EUC_2D", "EUCLIDEAN", "ATT", "EXPLICIT"])
@pytest.mark.parametrize("n", [5, 9, 70, 210])
def test_hill_climbing_on_two_devices_is_that_of_exact_scans_on_one(metric: str, n: int) -> None:
    problem = cities(n, metric, side=40)
    one = searched(HillClimbing(exact=True, start="random"), problem, Iterations(40))
    two = searched(HillClimbing(start="random"), problem, Iterations(40), device=TWO)
    also = searched(HillClimbing(exact=True, start="random"), problem, Iterations(40), device=TWO)
    assert (one.best == two.best).all()
    assert (one.best == also.best).all()
    assert one.iterations == two.iterations == also.iterations
    assert one.moves == two.moves


def test_on_a_large_instance_hill_climbing_is_exact_by_default() -> None:
    problem = cities(1500, "EUC_2D", side=200)
    runs = [searched(HillClimbing(), problem, Iterations(15), device=devices) for devices in (TWO[:1], TWO)]
    assert (runs[0].best == runs[1].best).all()


@pytest.mark.parametrize("names", [("3-opt",), ("2-opt", "or-opt"), ("swap", "relocate", "2-opt", "3-opt")])
def test_descent_on_two_devices_is_that_of_exact_scans_on_one(names: tuple[str, ...]) -> None:
    for problem in (cities(60, "EUC_2D", side=9), cities(60, "EUCLIDEAN"), cities(40, "EXPLICIT")):
        one = searched(Descent(names, quick=False, exact=True), problem, Iterations(60), seed=1)
        two = searched(Descent(names, quick=False, parts=5), problem, Iterations(60), seed=1, device=TWO)
        assert (one.best == two.best).all()
        assert (one.iterations, one.moves) == (two.iterations, two.moves)


def test_iterated_local_search_has_one_chain_on_any_number_of_devices() -> None:
    strategy, problem = IteratedLocalSearch(repair="all"), cities(210, "EUC_2D", side=50)
    runs = [searched(strategy, problem, Iterations(6), device=[Cpu(1)] * count) for count in (2, 3)]
    assert (runs[0].best == runs[1].best).all()
    assert runs[0].moves == runs[1].moves


@pytest.mark.parametrize(
    ("strategy", "words"),
    [
        (HillClimbing(apply="many"), "apply=many"),
        (HillClimbing(kernel="pruned"), "kernel"),
        (IteratedLocalSearch(repair="all", chains=4), "chains"),
    ],
)
def test_what_one_device_alone_can_do_is_refused_on_several(strategy: Strategy, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        searched(strategy, cities(60), Iterations(3), device=TWO)


@pytest.mark.parametrize("names", [("2-opt",), ("or-opt",), ("swap", "2-opt")])
@pytest.mark.parametrize("launches", [0, 4])
def test_the_run_goes_on_without_a_device_that_fails_and_says_so(names: tuple[str, ...], launches: int) -> None:
    problem, notes = cities(60, "EUC_2D", side=30), []

    def listen(event: Event) -> None:
        if isinstance(event, Note) and "has failed" in event.text:
            notes.append(event)

    descent = Descent(names, quick=False, exact=True, start="random")
    one = searched(descent, problem, Iterations(20))
    failing = Failing(launches)
    two = searched(descent, problem, Iterations(20), device=[failing, Cpu(1)], listeners=[listen])
    assert (one.best == two.best).all()
    assert (len(notes) > 0) == (failing.left < 0)
    assert len(notes) > 0 or launches > 0
    assert all(note.lasting for note in notes)


def test_listeners_are_told_what_each_device_contributed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sharing, "TELL_SECONDS", 0.0)
    told: list[Workers] = []

    def listen(event: Event) -> None:
        if isinstance(event, Workers):
            told.append(event)

    problem = cities(210, "EUC_2D")
    search = searched(HillClimbing(start="random"), problem, Iterations(20), device=TWO, listeners=[listen])
    last = told[-1]
    assert [row.name for row in last.rows] == ["cpu", "cpu"]
    assert all(row.rate > 0 and row.status == "working" for row in last.rows)
    first = problem.cost(first_tour(Search(problem, Iterations(1)), "random"))
    assert 0 < sum(row.gain for row in last.rows) <= first - search.cost


def test_shared_scans_are_told_as_scans_not_as_the_kicks_they_repair(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sharing, "TELL_SECONDS", 0.0)
    told: list[Workers] = []

    def listen(event: Event) -> None:
        told.extend([event] if isinstance(event, Workers) else [])

    strategy = IteratedLocalSearch(repair="all", start="random")
    searched(strategy, cities(210, "EUC_2D"), Iterations(3), device=TWO, listeners=[listen])
    assert {row.unit for event in told for row in event.rows} == {"scans"}
    passes = sum(row.rate for row in told[-1].rows) * told[-1].state.seconds
    assert passes > 100  # to the first minimum alone: kicks are 3


def test_if_all_devices_fail_so_does_the_run() -> None:
    with pytest.raises(DeviceError, match="driver lost"):
        searched(HillClimbing(start="random"), cities(60), Iterations(20), device=[Failing(1), Failing(3)])
