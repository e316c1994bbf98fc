"""Chapter 5: tours, convergence and predicted speed of the emulated machine."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import fmean
from typing import Final

import numpy as np

from warptour.bench import Options, Row
from warptour.io.read import read
from warptour.model.problem import TSP
from warptour.papers.exhibit import Exhibit, Lines, Plot, over_cities
from warptour.papers.mavroidis.engine.fpga import emulate, gain_left, random_search
from warptour.papers.mavroidis.exhibits.machine import best_time, compared_instances, list_descent, named
from warptour.papers.mavroidis.exhibits.printed import QUICK, TABLE_2
from warptour.papers.mavroidis.fpga import Machine, most_elements

CITIES: Final = range(5, 41)
SEEDS: Final = range(40)


def stopping_rule(options: Options) -> Iterator[Row]:
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


STOPPING_RULE: Final = Exhibit(
    "stopping-rule",
    "Section 5.1: tours that are not 2-optimal when the machine stops",
    "The thesis argues that n - 1 loops without a move prove 2-optimality and counts nothing. Uniform instances of 5 "
    "to 40 cities, by the machine in Python.",
    stopping_rule,
)


SAMPLES: Final = 20
METHODS: Final = ("symmetric", "random")


def figure_6(options: Options) -> Iterator[Row]:
    """Yield the tour length at equal steps of moves evaluated, up to the end of the longer run."""
    problem, _ = named("eil51", 51) if options.quick else named("pr1002", 1002)
    flat = problem.rounded("none")
    start = float(flat.cost(np.arange(flat.n, dtype=np.int32)))
    curves: Lines = {method: [(0.0, start)] for method in METHODS}
    width = 2 * (flat.n // 4)
    emulate(flat, watch=lambda loops, cost: curves["symmetric"].append((float(loops) * width, cost)))
    random_search(
        flat, seed=1, watch=lambda moves, cost: curves["random"].append((float(moves), cost)), work=flat.n**2 // 10
    )
    end = max(curve[-1][0] for curve in curves.values())
    for method, curve in curves.items():
        at, lengths = np.array(curve).T
        for moves in np.linspace(0, end, SAMPLES + 1).tolist():
            length = float(np.interp(moves, at, lengths))
            case = f"{problem.name}, {method}, after {moves:,.0f} moves"
            yield Row("mavroidis", case, problem.n, "cpu", length, "length")


def convergence(rows: list[Row]) -> Lines:
    """Return the length over the moves evaluated."""
    words = [row.case.split() for row in rows]
    return {
        f"{method} moves": [
            (float(word[-2].replace(",", "")) / 1e6, row.value)
            for word, row in zip(words, rows, strict=True)
            if word[1] == f"{method},"
        ]
        for method in METHODS
    }


FIGURE_6: Final = Exhibit(
    "figure-6",
    "Figure 6: tour length over moves evaluated, symmetric and random moves",
    "The two instances of the figure are not named in the text; ours is pr1002, with --quick eil51. The figure "
    "prints no values.",
    figure_6,
    (
        Plot(
            "symmetric_convergence", "million moves evaluated", "tour length", "from the order of the file", convergence
        ),
    ),
)


def section_5_2(options: Options) -> Iterator[Row]:
    """Yield each instance's difference, then the mean and the range of loops."""
    ratios, near, public = [], [], True
    for each in compared_instances(options):
        ratios.append(100 * (each.run.cost / each.random - 1))
        near.append(100 * each.near)
        public &= each.public
        yield Row("mavroidis", f"{each.problem.name}, to random moves", each.problem.n, "cpu", ratios[-1], "%")
    for case, value, unit, peer in (
        (f"mean of {len(ratios)} instances", fmean(ratios), "%", -0.75),
        ("within 5% of the final tour, earliest", min(near), "% of loops", 20),
        ("within 5% of the final tour, latest", max(near), "% of loops", 70),
    ):
        yield Row("mavroidis", case, 0, "cpu", value, unit, peer=peer if public else None)


SECTION_5_2: Final = Exhibit(
    "section-5.2",
    "Section 5.2: length of the machine's tours against those of random moves, in percent",
    "His mean is over 70 EUC_2D instances of 50 to 4,500 cities; ours over those in the data folder. Random moves: "
    "seed 1, until n² failures in a row.",
    section_5_2,
)


def figure_7(options: Options) -> Iterator[Row]:
    """Yield the speed-up on each instance, the same divided by cities, and the mean of those."""
    normalised, public = [], True
    for each in compared_instances(options):
        n = each.problem.n
        normalised.append(each.over_emulator / n)
        public &= each.public
        yield Row("mavroidis", each.problem.name, n, "cpu", each.over_emulator, "times")
        yield Row("mavroidis", f"{each.problem.name}, per city", n, "cpu", normalised[-1], "times/city")
    peer = 60 if public else None
    yield Row("mavroidis", "mean of speed-up / cities", 0, "cpu", fmean(normalised), "times/city", peer=peer)


def over_emulator(rows: list[Row]) -> Lines:
    """Return the speed-up over the number of cities."""
    return {"": [(row.n, row.value) for row in rows if row.n and row.unit == "times"]}


def over_emulator_per_city(rows: list[Row]) -> Lines:
    """Return the speed-up divided by the number of cities, over that number."""
    return {"": [(row.n, row.value) for row in rows if row.n and row.unit == "times/city"]}


FIGURE_7: Final = Exhibit(
    "figure-7",
    "Figure 7: predicted speed-up of the machine over its emulator on one core, overall and divided by cities",
    "His emulator ran on a Pentium at 3 GHz, ours runs vectorised on one core of this machine. The figure prints no "
    "values; the text has the mean of 60 per city.",
    figure_7,
    (
        over_cities(
            "fpga_emulator", "times as fast", "the machine, predicted, over its emulator", over_emulator, log_y=True
        ),
        over_cities(
            "fpga_emulator_per_city",
            "times as fast / cities",
            "the machine, predicted, over its emulator, normalised by n",
            over_emulator_per_city,
        ),
    ),
)


LISTS: Final = ("2-opt alone", "2-opt and or-opt")
"""Neighbourhoods of the descents by neighbour lists; the first is that of the thesis."""


def figure_8(options: Options) -> Iterator[Row]:
    """Yield the length on each instance in percent of the tours of both lists, and the means."""
    lengths: dict[str, list[float]] = {lists: [] for lists in LISTS}
    public = True
    for each in compared_instances(options):
        public &= each.public
        for (lists, found), other in zip(lengths.items(), (each.lists_two_opt, each.lists), strict=True):
            found.append(100 * each.run.cost / other)
            yield Row("mavroidis", f"{each.problem.name}, to {lists}", each.problem.n, "cpu", found[-1], "% of lists'")
    for lists, found in lengths.items():
        peer = 90 if public and lists == LISTS[0] else None
        case = f"mean of {len(found)} instances, to {lists}"
        yield Row("mavroidis", case, 0, "cpu", fmean(found), "% of lists'", peer=peer)


def lengths_over_cities(rows: list[Row]) -> Lines:
    """Return the length over the number of cities, for both lists."""
    return {
        lists: [(row.n, row.value) for row in rows if row.n and row.case.endswith(f"to {lists}")] for lists in LISTS
    }


FIGURE_8: Final = Exhibit(
    "figure-8",
    "Figure 8: tour lengths of the machine in percent of those of neighbour lists",
    "His lists are Concorde's 2-opt; ours are 2-opt alone, as his, and 2-opt with or-opt, which finds shorter tours. "
    "All start from the order of the file. The figure prints no values; the text has the mean, about 10% shorter.",
    figure_8,
    (
        over_cities(
            "fpga_length", "% of the lists' tour", "tours of the machine against neighbour lists", lengths_over_cities
        ),
    ),
)


def figure_9(options: Options) -> Iterator[Row]:
    """Yield the speed-up on each instance, and the mean."""
    speed_ups, public = [], True
    for each in compared_instances(options):
        name = each.problem.name
        speed_ups.append(each.over_lists)
        public &= each.public
        peer = TABLE_2[name].speed_up if name in TABLE_2 else None
        yield Row("mavroidis", name, each.problem.n, "cpu", each.over_lists, "times", peer=peer)
    mean = 6 if public else None
    yield Row("mavroidis", f"mean of {len(speed_ups)} instances", 0, "cpu", fmean(speed_ups), "times", peer=mean)


def over_lists(rows: list[Row]) -> Lines:
    """Return the speed-up over the number of cities."""
    return {
        "ours": [(row.n, row.value) for row in rows if row.n],
        "Mavroidis (2011)": [(row.n, row.peer) for row in rows if row.n and row.peer is not None],
    }


FIGURE_9: Final = Exhibit(
    "figure-9",
    "Figure 9: predicted speed-up of the machine over neighbour lists on one core",
    "His lists are Concorde's 2-opt on a Pentium at 3 GHz, ours are 2-opt and or-opt on one core of this machine. The "
    "figure prints no values; those of seven instances are in table 2, and the mean is in the text.",
    figure_9,
    (
        over_cities(
            "fpga_speed", "times as fast", "the machine, predicted, over neighbour lists", over_lists, log_y=True
        ),
    ),
)


def table_2(options: Options) -> Iterator[Row]:
    """Yield loops, predicted time, time of software and speed-up for each instance."""
    for name, printed in list(TABLE_2.items())[: QUICK if options.quick else None]:
        problem, same = named(name, printed.n)
        flat = problem.rounded("none")
        run = emulate(flat)
        lists, _ = best_time(lambda flat=flat: list_descent(flat))  # type: ignore[misc]
        for what, value, unit, peer in (
            ("loops", run.loops, "loops", printed.loops),
            ("machine, predicted", 1e6 * run.seconds, "us", printed.machine),
            ("software", 1e6 * lists, "us", printed.concorde),
            ("speed-up", lists / run.seconds, "times", printed.speed_up),
        ):
            yield Row(
                "mavroidis", f"{problem.name}, {what}", problem.n, "cpu", value, unit, peer=peer if same else None
            )


LOOPS: Final = Exhibit(
    "table-2",
    "Table 2: loops of the machine, its time at 35 cycles of 150 MHz per loop, and its speed-up over software",
    "The software is our descent by neighbour lists (2-opt and or-opt) on one core of this machine; his is Concorde's "
    "2-opt on a Pentium at 3 GHz. Both start from the order of the file. Loops are those of double precision; where "
    "they differ from his, ties decide (`table-2-arithmetic`).",
    table_2,
)
