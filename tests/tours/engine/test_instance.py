"""Instances renumbered along a curve."""

from __future__ import annotations

import numpy as np

from random_cities import cities
from warptour.candidates import neighbours
from warptour.tours.engine.instance import Instance, along_curve
from warptour.tours.starts.start import start


def test_an_instance_from_a_renumbered_problem_is_the_one_of_the_problem() -> None:
    problem = cities(500, "EUCLIDEAN", side=100_000, open=True, first=3, last=8, fixed_edges=[(3, 4), (10, 20)])
    renumbered, order = along_curve(problem)
    one = Instance.of(problem, neighbours(problem, 7, 1))
    other = Instance.of(problem, neighbours(renumbered, 7, 1), order=order)
    assert one.order is not None and (one.order == order).all()
    for name in ("near", "reaches", "fixed", "rank"):
        assert (getattr(one, name) == getattr(other, name)).all()
    tour = order[start(renumbered, "greedy")]
    assert problem.check(tour).violations == ()
    assert renumbered.cost(np.argsort(order)[tour].astype(np.int32)) == problem.cost(tour)
