"""A checkpoint keeps the population of a search, and a resumed run goes on from it."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

import warptour as wt
from random_cities import cities
from warptour.model.errors import InputError
from warptour.model.fleet import Fleet, VehicleType
from warptour.model.metric import METRICS
from warptour.model.problem import TSP
from warptour.model.vehicles import VRP
from warptour.observe import kept_population
from warptour.observe.checkpoint import Checkpoint, load_checkpoint
from warptour.observe.events import Ended, Improved, Population, State
from warptour.observe.kept_population import KeptPopulation, decode

RNG = np.random.default_rng(3)
NOW = State(1.0, 9, 1, 0)
TSP50 = TSP("fifty", METRICS["EUC_2D"], RNG.integers(0, 1000, (50, 2)))
VRP50 = VRP("fifty", METRICS["EUC_2D"], TSP50.points, demands=np.array([0, *[1] * 49]), capacity=9)


def tours(count: int) -> list[np.ndarray]:
    return [RNG.permutation(50).astype(np.int32) for _ in range(count)]


def routes() -> list[np.ndarray]:
    ends = np.sort(RNG.integers(0, 50, 6))
    return np.split(1 + RNG.permutation(49).astype(np.int32), ends)


def kept(problem: TSP | VRP, *solutions: object) -> dict[str, np.ndarray]:
    population = KeptPopulation(problem)
    population.update(1, lambda first: list(solutions[first:]))
    return population.arrays()


def saved_by(path: Path, problem: TSP, population: list[np.ndarray]) -> Checkpoint:
    keep = Checkpoint(path, problem)
    keep(Improved(NOW, np.arange(problem.n, dtype=np.int32)))
    keep(Population(NOW, 1, lambda first: population[first:]))
    keep(Ended(NOW))
    return keep


def as_lists(solution: object) -> object:
    return [route.tolist() for route in solution] if isinstance(solution, list) else solution.tolist()


def test_routes_of_a_fleet_come_back_with_empty_vehicles_and_without_who_is_not_served() -> None:
    types = tuple(VehicleType(count=40, capacities=(load,)) for load in (9, 12, 15, 18))
    prizes = np.array([0, *[5.0] * 30, *[np.inf] * 19])
    problem = VRP50.part(np.arange(50), fleet=Fleet(types), prizes=prizes)
    served = 1 + np.random.default_rng(1).permutation(49)[:40].astype(np.int32)
    plans = [[served[4 * k : 4 * k + 4] if at == k else np.empty(0, np.int32) for at in range(160)] for k in range(10)]
    whole = [list(np.split(served, 10)) + [np.empty(0, np.int32)] * 150 for _ in range(2)]
    for solutions in plans, whole:
        arrays = kept(problem, *solutions)
        assert [as_lists(found) for found in decode(problem, *arrays.values())] == [as_lists(one) for one in solutions]
    for other in (problem.part(np.arange(50), fleet=Fleet(types[:3])), problem.part(np.arange(50), prizes=None)):
        with pytest.raises(ValueError):
            decode(other, *kept(problem, *whole).values())


@pytest.mark.parametrize("problem", [TSP50, VRP50], ids=["tours", "routes"])
def test_solutions_come_back(problem: TSP | VRP) -> None:
    solutions = tours(5) if problem is TSP50 else [routes() for _ in range(5)]
    arrays = kept(problem, *solutions)
    assert [as_lists(found) for found in decode(problem, *arrays.values())] == [as_lists(one) for one in solutions]


def test_an_empty_population_is_none() -> None:
    assert decode(TSP50, *kept(TSP50).values()) == []


def test_local_optima_take_about_a_byte_per_city() -> None:
    tour = np.random.default_rng(1).permutation(2000).astype(np.int32)
    near = [tour.copy() for _ in range(10)]
    for other in near[1:]:
        for at in np.random.default_rng(2).integers(0, 1990, 100):
            other[at : at + 10] = other[at : at + 10][::-1]
    problem = cities(2000)
    sizes = kept(problem, *near)["sizes"]
    assert sizes[1:].max() < 2000
    assert (np.array(decode(problem, *kept(problem, *near).values())) == near).all()


def test_a_grown_population_is_added_to_and_another_replaces_it() -> None:
    population, first, second = KeptPopulation(TSP50), tours(4), tours(2)
    asked = []

    def solutions(k: int) -> list[np.ndarray]:
        asked.append(k)
        return first[k : 2 + 2 * len(asked)]

    population.update(1, lambda k: first[k:2])
    population.update(1, solutions)
    assert asked == [2], "those that are known are not encoded again"
    assert [one.tolist() for one in decode(TSP50, *population.arrays().values())] == [one.tolist() for one in first]
    population.update(2, lambda k: second[k:])
    assert [one.tolist() for one in decode(TSP50, *population.arrays().values())] == [one.tolist() for one in second]


def test_a_population_is_kept_as_far_as_it_fits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_population, "MAX_NODES", 150)
    assert len(kept(TSP50, *tours(5))["sizes"]) == 3
    monkeypatch.setattr(kept_population, "MAX_NODES", 80)
    assert len(kept(TSP50, *tours(5))["sizes"]) == 0


def test_a_checkpoint_holds_it_and_older_ones_do_without(tmp_path: Path) -> None:
    path, population = tmp_path / "a", tours(3)
    saved_by(path, TSP50, population)
    assert [tour.tolist() for tour in load_checkpoint(path, TSP50).population] == [one.tolist() for one in population]
    with np.load(path) as new:
        np.savez(tmp_path / "old.npz", **{name: new[name] for name in ("order", "lengths", "about")})
    assert load_checkpoint(tmp_path / "old.npz", TSP50).population == []


def test_a_damaged_population_is_refused_in_one_line(tmp_path: Path) -> None:
    path = tmp_path / "a"
    saved_by(path, TSP50, tours(3))
    with np.load(path) as new:
        arrays = dict(new)
    short, twice = arrays["population"].copy(), np.concatenate([arrays["population"]] * 2)
    short[arrays["sizes"][0] :] = 0
    other = kept(TSP50, *tours(1), np.zeros(50, np.int32))
    bomb = kept(cities(5000), np.arange(5000, dtype=np.int32))
    for changes in (
        {"population": short},
        {"population": twice},
        {"population": arrays["population"].astype(np.int16)},
        {"population": arrays["population"].reshape(1, -1)},
        {"sizes": -arrays["sizes"]},
        {"sizes": np.ones(5000, np.int64)},
        other,
        bomb,
    ):
        np.savez(tmp_path / "b.npz", **arrays | changes)
        with pytest.raises(InputError, match="not a checkpoint"):
            load_checkpoint(tmp_path / "b.npz", TSP50)


@pytest.mark.parametrize("options", [{}, {"open": True, "first": 3, "last": 9}], ids=["closed", "open"])
def test_a_resumed_run_goes_on_with_the_population(tmp_path: Path, options: dict[str, object]) -> None:
    problem, path = cities(300, **options), tmp_path / "a"
    first = wt.solve(problem, iterations=1500, seed=1, threads=1, checkpoint=path)
    before = load_checkpoint(path, problem).population
    assert len(before) >= 8
    again = wt.solve(problem, iterations=1500, seed=1, threads=1, checkpoint=path, resume=path)
    after = load_checkpoint(path, problem).population
    assert again.cost <= first.cost
    assert len(after) > len(before)
    assert [tour.tolist() for tour in after[: len(before)]] == [tour.tolist() for tour in before]
    assert len({tour.tobytes() for tour in after}) > 0.9 * len(after), "the same individuals are made again"


def test_an_asymmetric_problem_keeps_tours_of_its_own_cities(tmp_path: Path) -> None:
    ways, path = np.random.default_rng(5).integers(1, 1000, (60, 60)), tmp_path / "a"
    problem = TSP("ways", METRICS["EXPLICIT"], ways)
    wt.solve(problem, iterations=1000, seed=1, threads=1, checkpoint=path)
    before = load_checkpoint(path, problem).population
    assert len(before) >= 8
    wt.solve(problem, iterations=1000, seed=1, threads=1, checkpoint=path, resume=path)
    assert len(load_checkpoint(path, problem).population) > len(before)


def test_a_resumed_population_of_routes_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "a"
    first = wt.solve(VRP50, iterations=20_000, seed=1, threads=1, checkpoint=path)
    before = load_checkpoint(path, VRP50).population
    assert len(before) > 10
    again = wt.solve(VRP50, iterations=500, seed=1, threads=1, checkpoint=path, resume=path)
    after = load_checkpoint(path, VRP50).population
    assert again.cost <= first.cost
    assert len(after) > 10, "ten offspring alone would be fewer"


def test_a_checkpoint_that_ends_anywhere_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a"
    saved_by(path, TSP50, tours(20))
    data = path.read_bytes()
    for size in range(0, len(data), len(data) // 40):
        (tmp_path / "b").write_bytes(data[:size])
        with pytest.raises(InputError):
            load_checkpoint(tmp_path / "b", TSP50)
    assert sorted(os.listdir(tmp_path)) == ["a", "b"], "nothing temporary is left"
