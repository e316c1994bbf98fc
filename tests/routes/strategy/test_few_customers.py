"""Few customers, of which some limit keeps the cheapest routes from being a local optimum at most penalties."""

from __future__ import annotations

import warptour as wt

TABLE = [
    [0, 618, 866, 655, 1226, 811, 991, 601, 1012, 507, 355],
    [481, 0, 255, 177, 731, 767, 368, 89, 873, 915, 426],
    [1084, 266, 0, 312, 951, 1219, 348, 323, 972, 1097, 685],
    [448, 143, 315, 0, 759, 872, 359, 249, 1104, 1145, 290],
    [975, 728, 789, 1189, 0, 1061, 597, 879, 198, 863, 1051],
    [684, 688, 920, 905, 999, 0, 894, 1073, 584, 172, 590],
    [995, 350, 345, 567, 522, 784, 0, 222, 751, 1244, 404],
    [810, 73, 262, 218, 755, 662, 248, 0, 808, 1218, 429],
    [1522, 1104, 1051, 848, 188, 605, 458, 903, 0, 1102, 793],
    [765, 676, 1164, 750, 863, 133, 709, 926, 1018, 0, 589],
    [378, 415, 565, 330, 703, 417, 530, 458, 711, 623, 0],
]
DEMANDS = [0, 96, 55, 95, 80, 14, 42, 100, 48, 23, 85]


def test_the_cheapest_routes_are_found_beside_cheaper_ones_that_exceed_the_capacity() -> None:
    problem = wt.VRP.from_matrix(TABLE, demands=DEMANDS, capacity=551)
    found = wt.solve(problem, "routes", iterations=20_000, threads=1, seed=1)
    assert found.cost == wt.solve(problem).cost
