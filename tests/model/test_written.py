"""Closed tours are written from the first city on; paths keep their direction."""

import numpy as np

from warptour.model.metric import METRICS
from warptour.model.problem import TSP

POINTS = np.array([[0.0, 0], [0, 3], [4, 3], [4, 0]])


def test_a_closed_tour_is_written_from_the_first_city_toward_its_smaller_neighbour():
    problem = TSP("square", METRICS["EUC_2D"], POINTS)
    for tour in ([2, 3, 0, 1], [1, 0, 3, 2], [0, 3, 2, 1]):
        assert problem.as_written(np.array(tour)).tolist() == [0, 1, 2, 3]


def test_an_open_path_is_written_as_it_runs():
    problem = TSP("path", METRICS["EUC_2D"], POINTS, open=True)
    assert problem.as_written(np.array([2, 3, 0, 1])).tolist() == [2, 3, 0, 1]
