"""Section 5.1: how often the machine's stopping rule ends it before its tour is 2-optimal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from warptour.bench import Options, Row
from warptour.io.read import read
from warptour.model.problem import TSP
from warptour.papers.exhibit import Exhibit
from warptour.papers.mavroidis.engine.fpga import gain_left
from warptour.papers.mavroidis.fpga import Machine, most_elements

CITIES: Final = range(5, 41)
SEEDS: Final = range(40)


def measure(options: Options) -> Iterator[Row]:
    """Yield the tours with an improving move left after n - 1 idle loops, and after one more."""
    sizes, seeds = (CITIES[:8], SEEDS[:5]) if options.quick else (CITIES, SEEDS)
    tours = len(sizes) * len(seeds)
    after_rule = after_more = 0
    for n in sizes:
        for seed in seeds:
            problem = read(f"uniform:{n}:{seed}", rounding="none")
            assert isinstance(problem, TSP)
            x, y = problem.points.T.tolist()
            machine = Machine(x, y, most_elements(n))
            after_rule += gain_left(problem, np.array(machine.run(), np.int32)) > 0
            while machine.idle < n:
                machine.loop()
            after_more += gain_left(problem, np.array(machine.register, np.int32)) > 0
    unit = f"of {tours} tours"
    yield Row("mavroidis", "not 2-optimal after n - 1 idle loops", 0, "cpu", after_rule, unit, peer=0)
    yield Row("mavroidis", "not 2-optimal after n idle loops", 0, "cpu", after_more, unit)


EXHIBIT: Final = Exhibit(
    "stopping-rule",
    "Section 5.1: tours that are not 2-optimal when the machine stops",
    "The thesis argues that n - 1 loops without a move prove 2-optimality and counts nothing. Uniform instances of 5 "
    "to 40 cities, by the machine in Python.",
    measure,
)
