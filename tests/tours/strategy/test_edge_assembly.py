"""A population grows, crosses and hands its best tour on, within its limits and in time."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
import pytest

from random_cities import cities
from warptour.model.metric import METRICS
from warptour.model.problem import TSP
from warptour.search.search import Search
from warptour.search.stop import Iterations
from warptour.search.threads import ThreadPool
from warptour.search.worker import Budget
from warptour.tours.engine.instance import Instance, Ints
from warptour.tours.starts.start import start
from warptour.tours.strategy import edge_assembly, population_plan
from warptour.tours.strategy.edge_assembly import SELECTIVE, EdgeAssembly
from warptour.tours.strategy.individuals import SplitIndividuals, improve, new_tour
from warptour.tours.strategy.population_plan import QUICK, PopulationPlan
from warptour.tours.strategy.start import SharedTask
from warptour.tours.strategy.windows import Windows


def worker_of(problem: TSP, pool: ThreadPool, optima: Sequence[Ints] = ()) -> EdgeAssembly:
    instance = Instance.of(problem)
    tour = instance.enter(start(problem, "greedy", 0))
    search = Search(problem, Iterations(1), seed=5, population=[instance.leave(tour) for tour in optima])
    worker = Windows().worker(SharedTask(search, instance, tour, pool))
    assert isinstance(worker, EdgeAssembly)
    return worker


@pytest.mark.threads
@pytest.mark.parametrize("threads", [1, 2])
def test_gains_add_up_to_the_best_tour(threads: int) -> None:
    problem = cities(300)
    first = problem.cost(start(problem, "greedy", 0))
    with ThreadPool(threads) as pool:
        worker = worker_of(problem, pool)
        while worker.iterations < 2000:
            worker.advance(Budget(2000 - worker.iterations))
            tour = worker.instance.leave(worker.best())
            assert problem.check(tour).violations == ()
            assert first - worker.gain == problem.cost(tour)
    assert worker.iterations == 2000
    assert len(worker.population) > 10


def test_populations_double_and_another_begins_when_one_is_full(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(edge_assembly, "MAX_TOURS", 20)
    sizes = []
    with ThreadPool(1) as pool:
        worker = worker_of(cities(200), pool)
        for _ in range(6):
            generations = worker.population.generations
            while worker.population.generations == generations:
                worker.advance(Budget())
            sizes.append(len(worker.population))
    assert sizes == [8, 16, 20, 8, 16, 20]


@pytest.mark.parametrize("tours", [8, 32], ids=["greedily", "selectively"])
def test_crossover_makes_the_individuals_shorter(tours: int) -> None:
    """The shortest of few is a good deal shorter then, and of many all are."""
    with ThreadPool(2) as pool:
        worker = worker_of(cities(300, side=10_000), pool)
        while worker._planned or len(worker.population) < tours:
            worker.advance(Budget())
        first = [worker.instance.length(tour) for tour in worker.optima]
        assert len(first) == len(worker.population) == tours
        lengths = worker.population.lengths
        assert lengths.min() < min(first)
        assert lengths.max() < np.mean(first)
        assert [worker.instance.length(tour) for tour in worker.population.tours] == pytest.approx(lengths.tolist())


def test_the_best_of_many_individuals_joins_the_next_population(monkeypatch: pytest.MonkeyPatch) -> None:
    crossed: list[Ints] = []
    joined: list[list[Ints]] = []
    cross, join = edge_assembly.cross_selectively, EdgeAssembly._join

    def cross_noted(population: Any, *others: Any) -> bool:
        finished = cross(population, *others)
        crossed.append(population.tours[population.best].copy())
        return finished

    def join_noted(worker: EdgeAssembly, tours: Sequence[Ints], budget: Budget) -> bool:
        joined.append([tour.copy() for tour in tours])
        return join(worker, tours, budget)

    monkeypatch.setattr(edge_assembly, "SELECTIVE", 8)
    monkeypatch.setattr(population_plan, "QUICK", 0)
    monkeypatch.setattr(edge_assembly, "cross_selectively", cross_noted)
    monkeypatch.setattr(EdgeAssembly, "_join", join_noted)
    with ThreadPool(1) as pool:
        worker = worker_of(cities(300), pool)
        while len(joined) < 3:
            worker.advance(Budget())
    for number, tours in enumerate(joined):
        assert [tour.tobytes() for tour in tours[1:]] == [tour.tobytes() for tour in crossed[:number]]


def test_the_last_population_is_as_large_as_time_allows() -> None:
    with ThreadPool(1) as pool:
        worker = worker_of(cities(200), pool)
        worker.plan.seconds = {True: 1.0, False: 1.0}
        worker.plan.crossed(8, 8.0)
        assert worker._plan(Budget(seconds_left=lambda: 100.0)) == 8
        assert worker._plan(Budget(seconds_left=lambda: 20.0)) == 8
        assert worker._plan(Budget(seconds_left=lambda: 10.0)) is None
        worker.optima = [worker.incumbent.best()] * 8
        assert worker._plan(Budget(seconds_left=lambda: 10.0)) == 0, "the same once more"
        assert worker._plan(Budget(seconds_left=lambda: 5.0)) is None


def test_threads_are_planned_in_whole_batches() -> None:
    with ThreadPool(4) as pool:
        worker = worker_of(cities(200), pool)
        worker.plan.seconds = {True: 10.0, False: 10.0}
        worker.plan.crossed(8, 1.2)
        for seconds, fitting in (40.0, 12), (30.0, 8), (12.5, 4), (11.5, 3), (5.0, 0), (0.0, 0):
            assert worker.plan.fitting(0, Budget(seconds_left=partial(float, seconds)), quick=False) == fitting
        assert worker.plan.fitting(8, Budget(seconds_left=lambda: 1.0), quick=False) < 0


def test_a_plan_needs_no_prediction() -> None:
    with ThreadPool(1) as pool:
        plan = worker_of(cities(200), pool).plan
        plan.seconds = {True: 0.0, False: 3.0}
        assert plan.fitting(0, Budget(seconds_left=lambda: 1.0), quick=False) == 0
        assert plan.crossable(Budget(seconds_left=lambda: 10.0)) == 8


def test_each_tour_of_a_larger_population_takes_longer_to_cross() -> None:
    with ThreadPool(1) as pool:
        plan = worker_of(cities(200), pool).plan
        plan.crossed(8, 2.0)
        assert plan.crossing(8) == 2.0
        assert plan.crossing(16) == pytest.approx(6.0)
        assert plan.crossable(Budget(seconds_left=lambda: 7.0)) == 16


def test_the_first_individuals_are_not_kicked() -> None:
    with ThreadPool(1) as pool:
        worker = worker_of(cities(200), pool)
        while len(worker.optima) < QUICK:
            worker.advance(Budget())
        assert worker._kicks == 0
        while len(worker.optima) < 2 * QUICK:
            worker.advance(Budget())
        assert worker._kicks == QUICK * worker.plan.kicks


def test_individuals_are_kicked_only_if_there_is_time_for_many() -> None:
    with ThreadPool(1) as pool:
        worker = worker_of(cities(200), pool)
        worker.optima = [worker.incumbent.best()] * QUICK
        worker.plan.seconds = {True: 1.0, False: 5.0}
        worker.plan.crossed(8, 0.8)
        for seconds, quick in (1000.0, False), (50.0, True):
            worker._plan(Budget(seconds_left=partial(float, seconds)))
            assert worker._quick is quick


def test_a_population_that_may_not_be_larger_is_kicked_if_there_is_time() -> None:
    plan = PopulationPlan(Instance.of(cities(200)), effort=1.0, most=40, threads=1)
    plan.seconds = {True: 1.0, False: 5.0}
    plan.crossed(8, 0.8)
    for seconds, quick in (1000.0, False), (20.0, True):
        assert plan.quick(QUICK, Budget(seconds_left=partial(float, seconds))) is quick


@pytest.mark.parametrize(
    ("seconds", "quick", "chosen"), [(300.0, True, False), (100.0, True, True), (300.0, False, True)]
)
def test_quick_individuals_are_selected_from_only_in_the_last_population(
    seconds: float, quick: bool, chosen: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    selected: list[bool] = []

    def selectively(*crossed: Any) -> bool:
        selected.append(True)
        return False

    monkeypatch.setattr(edge_assembly, "cross_selectively", selectively)
    with ThreadPool(2) as pool:
        worker = worker_of(cities(200), pool)
        worker.optima = [worker.incumbent.best()] * SELECTIVE
        worker.plan.seconds, worker._quick = {True: 1.0, False: 5.0}, quick
        worker.plan.crossed(SELECTIVE, SELECTIVE)
        worker._crossover(Budget(seconds_left=partial(float, seconds)))
    assert bool(selected) is chosen


def test_local_optima_of_an_earlier_run_are_crossed_with_new_ones() -> None:
    problem = cities(300)
    with ThreadPool(1) as pool:
        before = worker_of(problem, pool)
        while not before.population.generations:
            before.advance(Budget())
        worker = worker_of(problem, pool, before.optima)
        while not worker.population.generations:
            worker.advance(Budget())
    assert len(worker.population) == 16
    assert len({tour.tobytes() for tour in worker.optima}) == 16


def test_without_time_for_a_population_the_best_tour_is_polished() -> None:
    with ThreadPool(1) as pool:
        worker = worker_of(cities(500), pool)
        for _ in range(20):
            worker.advance(Budget(seconds_left=lambda: 0.0))
        assert len(worker.population) == 0
        assert worker.iterations == worker.incumbent.iterations > 500


def test_individuals_that_would_not_end_in_time_give_way_to_crossover() -> None:
    with ThreadPool(1) as pool:
        worker = worker_of(cities(500), pool)
        while not worker._planned:
            worker.advance(Budget())
        tours = len(worker.optima)
        worker.advance(Budget(seconds_left=lambda: 1e-9))
        assert len(worker.optima) == len(worker.population) > tours
        assert worker.population.generations > 0
        assert not worker._planned


@pytest.mark.threads
@pytest.mark.parametrize("threads", [1, 2])
def test_generations_end_with_the_time(threads: int) -> None:
    with ThreadPool(threads) as pool:
        worker = worker_of(cities(200), pool)
        while not worker.population.generations:
            worker.advance(Budget())
        generations = worker.population.generations
        worker._crossover(Budget(over=lambda: worker.population.generations > generations))
    assert worker.population.generations == generations + 1


def test_what_was_won_before_an_interrupt_is_not_lost() -> None:
    problem = cities(500)
    with ThreadPool(1) as pool:
        worker = worker_of(problem, pool)
        while worker.population.generations < 6:
            worker.advance(Budget())
        calls = 0

        def soon() -> bool:
            nonlocal calls
            calls += 1
            return calls > 40

        while calls <= 40:
            worker.advance(Budget(over=soon))
        lengths = [worker.instance.length(worker.incumbent.best()), *worker.population.lengths]
        assert worker.instance.length(worker.best()) == min(lengths)


@pytest.mark.parametrize("options", [{"open": True}, {"open": True, "first": 3, "last": 7}], ids=str)
def test_open_paths_cross_too(options: dict[str, object]) -> None:
    """The node that closes a path is a candidate of all, and no random walk must be caught in it."""
    problem = TSP("path", METRICS["EUC_2D"], cities(500).points, **options)
    with ThreadPool(1) as pool:
        worker = worker_of(problem, pool)
        while worker.iterations < 3000:
            worker.advance(Budget(3000 - worker.iterations))
        assert worker.incumbent.evaluations > 10 * worker.incumbent.iterations
        assert len(worker.population) > 4


@pytest.mark.parametrize("quick", [False, True])
def test_individuals_start_elsewhere(quick: bool) -> None:
    n = 300
    problem = cities(n)
    instance = Instance.of(problem)
    tours = [new_tour(instance, 1, number, quick=quick) for number in (0, 1, 0)]
    assert all(sorted(tour.tolist()) == list(range(n)) for tour in tours)
    assert (tours[0] == tours[2]).all()
    edges = [{frozenset(edge) for edge in zip(tour.tolist(), np.roll(tour, 1).tolist(), strict=True)} for tour in tours]
    assert len(edges[0] & edges[1]) < 0.9 * n


def test_an_individual_in_windows_is_repaired_and_kicked_as_often_as_it_should() -> None:
    problem = cities(3000)
    instance = Instance.of(problem)
    individuals = SplitIndividuals(instance, seed=1, walk_length=50, size=800, threads=1)
    first = new_tour(instance, 1, 0)
    individual = individuals.make(0)
    improve(individual, Budget(300))
    assert individual.iterations == 300
    assert instance.length(individual.best()) < 0.2 * instance.length(first)
    assert individual._selection._kicks.evaluations > 0
    assert individuals.make(1)._selection is individual._selection, "the next one knows what exchanges gained"
