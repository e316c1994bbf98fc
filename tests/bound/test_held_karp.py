"""The ascent converges to Held and Karp's bound, which a linear program gives exactly."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from subtour_lp import held_karp
from warptour.bound import prove_bound
from warptour.io.generate import generate
from warptour.io.read import read
from warptour.model.metric import METRICS
from warptour.model.problem import TSP

SHARE = 0.999
"""What the ascent reaches of the exact value at least; on most instances 0.9999."""


@pytest.mark.parametrize("kind", ["uniform", "clustered", "grid", "drilling"])
def test_the_ascent_reaches_the_linear_program_but_never_passes_it(kind: str) -> None:
    problem = generate(kind, 80, seed=4)
    exact = held_karp(problem)
    bound = prove_bound(problem, 3.0, 1).lower_bound
    assert SHARE * exact <= bound <= math.ceil(exact - 1e-6)


@pytest.mark.parametrize("kind", ["uniform", "clustered"])
def test_two_hundred_cities_reach_the_linear_program(kind: str) -> None:
    problem = generate(kind, 200, seed=1)
    exact = held_karp(problem)
    assert SHARE * exact <= prove_bound(problem, 2.0, 1).lower_bound <= math.ceil(exact - 1e-6)


@pytest.mark.parametrize("kind", ["uniform", "clustered", "drilling"])
def test_the_value_of_the_linear_program_is_that_of_all_edges(kind: str) -> None:
    problem = generate(kind, 60, seed=2)
    assert held_karp(problem, nearest=2) == pytest.approx(held_karp(problem, nearest=59), rel=1e-9)


def test_the_ascent_of_a_matrix_reaches_the_linear_program() -> None:
    table = np.random.default_rng(3).uniform(0, 100, (50, 50))
    problem = TSP("matrix", METRICS["EXPLICIT"], np.triu(table, 1) + np.triu(table, 1).T)
    exact = held_karp(problem)
    assert SHARE * exact <= prove_bound(problem, 3.0, 1).lower_bound <= exact * (1 + 1e-9)


@pytest.mark.parametrize("name", ["eil51", "brazil58", "gr96"])
def test_public_instances_reach_the_linear_program(name: str, data: Path) -> None:
    problem = read(data / "tsp" / f"{name}.tsp")
    exact = held_karp(problem)
    assert SHARE * exact <= prove_bound(problem, 3.0, 1).lower_bound <= math.ceil(exact - 1e-6)
