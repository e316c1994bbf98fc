"""Regions: one tour on several members, whatever the cities are like and whoever is lost."""

from __future__ import annotations

import math
import pickle
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from device_windows import points_of
from random_cities import cities
from warptour.cluster.crew import Crew
from warptour.cluster.links.link import Link, LostError
from warptour.cluster.links.threads import hire
from warptour.cluster.messages import Beat, Done, Failed, Halt, Task
from warptour.cluster.regions.cutting import Course, CutTour, planes
from warptour.cluster.regions.joining import Joining
from warptour.cluster.regions.regions import TourRegions, curve
from warptour.devices.cpu import Cpu
from warptour.kernels.points import Points
from warptour.model.metric import METRICS
from warptour.model.problem import TSP
from warptour.model.vehicles import VRP
from warptour.observe.events import Event, Note
from warptour.papers.mavroidis.strategy.annealing import Annealing
from warptour.papers.rocki.strategy.ils import IteratedLocalSearch
from warptour.search.search import Search
from warptour.search.stop import Iterations, Seconds, Stop
from warptour.tours.engine.cycles import cycles_of, patch
from warptour.tours.engine.split import links_of
from warptour.tours.starts.start import start
from warptour.tours.strategy.windows import Windows


def uniform(n: int, **options: Any) -> TSP:
    return TSP("uniform", METRICS["EUC_2D"], points_of("uniform", n), **options)


def searched(
    problem: TSP,
    members: int,
    stop: Stop,
    *,
    links: list[Link] | None = None,
    strategy: Any = None,
    device: str | None = None,
    **options: Any,
) -> tuple[Search[TSP], TourRegions]:
    """Run regions with threads of one core each as members."""
    search: Search[TSP] = Search(problem, stop, **options)
    with Crew(links or [hire(Cpu(1)) for _ in range(members)]) as crew:
        regions = TourRegions(strategy or Windows(), crew, threads=1, device=device)
        assert regions.refuses(problem) is None
        regions.run(search)
    assert isinstance(search.best, np.ndarray)
    assert problem.violations(search.best) == []
    assert search.cost == problem.cost(search.best)
    return search, regions


@pytest.mark.parametrize("kind", ["uniform", "clustered", "equal", "line"])
def test_a_tour_is_never_longer_than_its_start(kind: str) -> None:
    problem = TSP("cities", METRICS["EUC_2D"], points_of(kind, 2003))
    first = start(problem, "greedy")
    search, regions = searched(problem, 3, Iterations(900), start=first)
    assert search.cost <= problem.cost(first)
    assert search.iterations == 900
    assert len(regions.phases) == 3


@pytest.mark.parametrize("members", [1, 2, 5])
def test_the_seed_and_the_members_determine_the_tour(members: int) -> None:
    tours = [searched(uniform(2500), members, Iterations(1500), seed=4)[0].best for _ in range(2)]
    assert np.array_equal(*tours)


def test_the_first_phase_constructs_and_the_next_cross_its_borders() -> None:
    problem = uniform(4000)
    curve = problem.cost(start(problem, "curve"))
    search, regions = searched(problem, 4, Iterations(8000))
    assert [phase.cut for phase in regions.phases] == ["curve", "space", "space"]
    assert search.cost < 0.78 * curve
    assert all(phase.gain > 0 for phase in regions.phases)
    assert sum(share.cities for share in regions.phases[1].shares) == 4000


@pytest.mark.parametrize(
    "options",
    [
        {"open": True},
        {"open": True, "first": 7},
        {"open": True, "last": 9},
        {"open": True, "first": 3, "last": 1200},
        {"fixed_edges": np.stack((np.arange(0, 1000, 2), np.arange(1, 1000, 2)), axis=1)},
        {"fixed_edges": np.stack((np.arange(600), np.arange(1, 601)), axis=1)},
        {"open": True, "first": 0, "fixed_edges": np.array([[0, 5], [5, 900], [20, 21]])},
    ],
)
def test_ends_and_fixed_edges_are_kept(options: dict[str, Any]) -> None:
    problem = uniform(1500, **options)
    search, _ = searched(problem, 3, Iterations(600))
    assert search.cost < problem.cost(start(problem, "curve"))


@pytest.mark.parametrize("name", ["GEO", "EUC_3D", "MAN_2D", "EUCLIDEAN"])
def test_other_metrics(name: str) -> None:
    search, regions = searched(cities(1200, name), 2, Iterations(400))
    assert search.iterations == 400
    assert regions.phases[-1].cut == "space"


def test_a_matrix_is_cut_along_the_tour() -> None:
    search, regions = searched(cities(900, "EXPLICIT"), 2, Iterations(300))
    assert {phase.cut for phase in regions.phases} == {"tour"}
    assert search.iterations == 300


def test_more_members_than_regions_make_sense() -> None:
    _, regions = searched(uniform(700), 6, Iterations(90))
    assert {len(phase.shares) for phase in regions.phases} == {3}


def test_another_strategy_and_a_time_limit() -> None:
    search, regions = searched(uniform(3000), 2, Seconds(0.8), strategy=IteratedLocalSearch())
    assert len(regions.phases) >= 2
    assert search.iterations > 0


def test_what_is_refused() -> None:
    regions = TourRegions(Annealing(), Crew([]), threads=1)
    assert "fixed edges" in str(regions.refuses(uniform(500)))
    routes = VRP("routes", METRICS["EUC_2D"], np.eye(4, 2), demands=np.array([0, 1, 1, 1]), capacity=3)
    assert "one tour" in str(TourRegions(Windows(), Crew([]), threads=1).refuses(routes))


def test_without_members_the_search_goes_on_alone() -> None:
    notes: list[str] = []

    def listen(event: Event) -> None:
        if isinstance(event, Note):
            notes.append(event.text)

    search, regions = searched(uniform(900), 0, Iterations(200), listeners=[listen])
    assert search.iterations == 200
    assert regions.phases == []
    assert any("going on in this process" in note for note in notes)


class Unreliable:
    """A link whose other end dies at one of its messages, chosen at random."""

    sent = received = 0

    def __init__(self, inner: Link, rng: np.random.Generator) -> None:
        self.name = inner.name
        self._inner = inner
        self._left = int(rng.integers(1, 6))

    def _step(self) -> None:
        self._left -= 1
        if self._left <= 0:
            raise LostError("it was killed")

    def send(self, message: object) -> None:
        if isinstance(message, Task):
            self._step()
        self._inner.send(message)

    def receive(self, seconds: float) -> object | None:
        message = self._inner.receive(seconds)
        if isinstance(message, Done | Beat):
            self._step()
        return message

    def close(self) -> None:
        self._inner.send(Halt(0))


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("rehired", [False, True])
def test_members_lost_at_any_message(seed: int, rehired: bool) -> None:
    rng = np.random.default_rng(seed)
    problem = uniform(1200)
    first = start(problem, "greedy")
    costs = []

    def unreliable(rank: int = 0) -> Link:
        return Unreliable(hire(Cpu(1)), rng)

    def listen(event: Event) -> None:
        if event.state.cost is not None:
            costs.append(event.state.cost)

    search: Search[TSP] = Search(problem, Iterations(600), seed=seed, start=first, listeners=[listen])
    crew = Crew([unreliable() for _ in range(3)], unreliable if rehired else None)
    TourRegions(Windows(), crew, threads=1).run(search)
    assert isinstance(search.best, np.ndarray)
    assert problem.violations(search.best) == []
    assert search.cost is not None
    assert search.cost <= min([problem.cost(first), *costs])
    assert search.iterations >= 600


class Scripted:
    """A member of this process that answers each task by a function."""

    def __init__(self, answer: Callable[[Task], object]) -> None:
        self.name = "scripted"
        self.tasks: list[Task] = []
        self._answer = answer
        self._answers: list[object] = []

    def send(self, message: object) -> None:
        if isinstance(message, Task):
            self.tasks.append(message)
            self._answers.append(self._answer(message))

    def receive(self, seconds: float) -> object | None:
        return self._answers.pop(0) if self._answers else None

    def close(self) -> None: ...


def done(task: Task, tour: np.ndarray, cost: float) -> Done:
    return Done(task.number, tour, cost, int(min(task.iterations, 1000)), 0, 0.1, "cpu")


def test_a_member_whose_device_fails_goes_on_with_the_cpu() -> None:
    def answer(task: Task) -> object:
        if task.device != "cpu":
            return Failed(task.number, "out of memory", of_device=True)
        return done(task, np.arange(task.problem.n, dtype=np.int32), 0)

    link = Scripted(answer)
    searched(uniform(800), 1, Iterations(60), links=[link], device="auto")
    assert [task.device for task in link.tasks][:2] == ["auto", "cpu"]


def test_members_that_always_fail_leave_the_search_to_the_coordinator() -> None:
    link = Scripted(lambda task: Failed(task.number, "no memory", of_device=False))
    search, regions = searched(uniform(800), 1, Iterations(60), links=[link])
    assert search.iterations == 60
    assert [phase.shares for phase in regions.phases] == [()]
    assert len(link.tasks) == 1


@pytest.mark.parametrize("wrong", ["broken", "short", "longer", "none"])
def test_answers_that_are_no_better_tours_change_nothing(wrong: str) -> None:
    def answer(task: Task) -> object:
        order = np.arange(task.problem.n, dtype=np.int32)
        if wrong == "none":
            return replace(done(task, order, 0), solution=None, cost=None)
        if wrong == "broken":
            order = np.random.default_rng(1).permutation(order)
        return done(task, order[:-1] if wrong == "short" else order, math.inf if wrong == "longer" else 0)

    problem = uniform(800)
    first = start(problem, "greedy")
    search, _ = searched(problem, 2, Iterations(90), links=[Scripted(answer), Scripted(answer)], start=first)
    assert isinstance(search.best, np.ndarray)
    assert np.array_equal(problem.as_written(search.best), problem.as_written(first))


def test_a_straggler_is_halted_and_left_behind() -> None:
    link = Scripted(lambda task: None)
    search, regions = searched(uniform(900), 2, Seconds(2.0), links=[link, hire(Cpu(1))])
    assert len(link.tasks) == 1
    assert all(share.member == "cpu" for phase in regions.phases for share in phase.shares)
    assert search.iterations > 0


def test_a_task_is_about_as_large_as_its_region() -> None:
    problem = uniform(20_000)
    course = Course(problem, start(problem, "greedy"))
    label = course.in_space([1.0] * 8, np.random.default_rng(1), 1)
    assert label is not None
    cut = CutTour(course, label, "space")
    for region in range(8):
        part = cut.problem(region)
        task = Task(1, part, Windows(), "file", 0, 1)
        assert part.n == pytest.approx(2500, rel=0.3)
        assert len(pickle.dumps(task)) < 16 * part.n + 8 * int(cut.fragments[region]) + 2500


@pytest.mark.parametrize("n", [1, 3, 8])
def test_the_problem_of_a_region_is_closed_by_fixed_edges(n: int) -> None:
    problem = uniform(1000)
    course = Course(problem, start(problem, "greedy"))
    label = course.in_space([1.0] * n, np.random.default_rng(n), 2)
    assert label is not None
    cut = CutTour(course, label, "space")
    assert len(cut) == n
    for region in range(n):
        part = cut.problem(region)
        assert TSP("checked", part.metric, part.points, fixed_edges=part.fixed_edges).n == part.n
        assert part.violations(np.arange(part.n)) == []
        assert np.array_equal(start(part, "file"), np.arange(part.n))
        assert np.array_equal(part.points, problem.points[course.tour[label == region]])


def test_weights_are_shares_of_the_cities() -> None:
    course = Course(uniform(5000), np.arange(5000, dtype=np.int32))
    for label in (course.in_space([4, 1, 1], np.random.default_rng(2), 1), course.along([4, 1, 1], 0.5)):
        assert label is not None
        assert np.bincount(label) / 5000 == pytest.approx([4 / 6, 1 / 6, 1 / 6], abs=0.08)


def test_coincident_cities_are_not_cut_in_space() -> None:
    problem = TSP("equal", METRICS["EUC_2D"], points_of("equal", 500))
    assert Course(problem, np.arange(500, dtype=np.int32)).in_space([1, 1], np.random.default_rng(0), 1) is None


@pytest.mark.parametrize("kind", ["uniform", "clustered", "equal", "line"])
def test_the_curve_of_the_first_phase_ends_where_it_begins(kind: str) -> None:
    problem = TSP("cities", METRICS["EUCLIDEAN"], points_of(kind, 3000))
    tour = curve(problem, 2)
    assert problem.violations(tour) == []
    edges = problem.distances(tour, np.roll(tour, -1))
    if kind == "uniform":
        assert edges.max() <= 0.1 * np.ptp(problem.points)
    assert edges.sum() < 1.1 * problem.cost(start(problem, "curve")) + 1


def test_the_edge_from_the_last_city_to_the_first_is_not_kept_for_ever() -> None:
    problem = uniform(2000)
    search, _ = searched(problem, 2, Iterations(3000), start=start(problem, "curve"))
    assert isinstance(search.best, np.ndarray)
    closing = start(problem, "curve")[[0, -1]]
    place = np.argsort(search.best)
    assert abs(int(place[closing[0]] - place[closing[1]])) not in (1, problem.n - 1)


def test_planes_of_one_region() -> None:
    numbers, children = planes(np.random.default_rng(0).random((9, 2)), [1.0], np.random.default_rng(0))
    assert (len(numbers), len(children)) == (0, 0)


@pytest.mark.parametrize("fixed", [False, True])
def test_regions_that_form_many_cycles_are_joined_to_one_tour(fixed: bool) -> None:
    options = {"fixed_edges": np.stack((np.arange(0, 300, 2), np.arange(1, 300, 2)), axis=1)} if fixed else {}
    problem = uniform(600, **options)
    course = Course(problem, start(problem, "random"))
    rng = np.random.default_rng(5)
    label = course.in_space([1.0] * 4, rng, 1)
    assert label is not None
    cut = CutTour(course, label, "space")
    joining = Joining(cut, 1)
    for region in range(4):
        part = cut.problem(region)
        tour = start(part, "greedy")
        joining.take(region, tour, part.cost(np.arange(part.n)) - part.cost(tour))
    order = joining.joined()
    assert problem.violations(course.tour[order]) == []
    assert problem.cost(course.tour[order]) <= problem.cost(course.tour)


def test_patching_costs_what_it_says() -> None:
    problem = uniform(300)
    order = start(problem, "greedy")
    course = Course(problem, order)
    links = np.concatenate([links_of(np.arange(30, dtype=np.int32)) + 30 * k for k in range(10)]).astype(np.int32)
    _, cycle, count = cycles_of(links)
    assert count == 10
    length = sum(problem.cost(order[30 * k : 30 * k + 30]) for k in range(10))
    cost = patch(course.measured(), links, cycle, count, None, 2)
    tour, _, count = cycles_of(links)
    assert count == 1
    assert problem.cost(order[tour]) == length + cost
    assert isinstance(course.measured(), Points)
