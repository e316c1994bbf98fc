"""Variable neighbourhood search: the same for the same seed, better for more neighbourhoods, and it says who did it."""

from __future__ import annotations

import numpy as np
import pytest

from clocks import Looks
from random_cities import cities
from run_strategy import searched
from warptour.model.errors import UsageError
from warptour.model.metric import METRICS
from warptour.model.vehicles import VRP
from warptour.observe.events import Note
from warptour.search.neighborhood_names import spelled
from warptour.search.search import Search
from warptour.search.stop import Iterations
from warptour.strategies.vns import VariableNeighborhoodSearch


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


def test_names_are_understood_with_and_without_dashes() -> None:
    assert spelled("2opt, Or-Opt,3_opt", ["2-opt", "3-opt", "or-opt"]) == ["2-opt", "or-opt", "3-opt"]
