"""The emulated symmetric 2-opt machine compared with random 2-opt and neighbour lists, from the order of each file.

    python benchmarks/fpga.py FOLDER [--most 4500] [--figures FOLDER] [--curve NAME OUTPUT.svg]

For every EUC_2D file of 50 to ``--most`` cities in FOLDER: the machine's loops and its time by the cost model, the
unrounded tour lengths of the machine and of random improving moves, the length of a neighbour-list descent (2-opt and
or-opt), and the seconds of emulator and descent on this CPU. The last line has means. ``--curve`` draws the
convergence of machine and random moves on one file by moves evaluated; ``--figures`` draws the speed-up over the
emulator, the lengths and the speed-up over lists, by number of cities. These are figures 6 and 7 to 9 of Mavroidis
(2011).
"""

from __future__ import annotations

import argparse
import time
from functools import partial
from pathlib import Path

import numpy as np
from figures import Axes, Points, draw

import warptour as wt
from warptour.engines.climbers import Climbers
from warptour.engines.instance import Instance
from warptour.engines.symmetric.fpga import emulate, random_search


def tsp(path: Path) -> wt.TSP:
    problem = wt.read(path)
    assert isinstance(problem, wt.TSP)
    return problem


def note(seen: list[tuple[int, float]], loops: int, cost: float) -> None:
    seen.append((loops, cost))


def main() -> None:
    """Print one line per file as it is measured."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--most", type=int, default=4500)
    parser.add_argument("--figures", type=Path)
    parser.add_argument("--curve", nargs=2, metavar=("NAME", "SVG"))
    options = parser.parse_args()
    if options.curve:
        name, output = options.curve
        curve(tsp(options.folder / f"{name}.tsp").rounded("none"), Path(output))
        return
    print(
        f"{'instance':<10} {'n':>5} {'loops':>7} {'machine us':>10} {'machine':>10} {'random':>10} {'m/r %':>6}"
        f" {'lists':>10} {'m/l %':>6} {'emulator s':>10} {'lists us':>9} {'speed-up':>8} {'within 5%':>9}"
    )
    ratios, against, speedups = [], [], []
    emulators: list[tuple[int, float]] = []
    for file in sorted(options.folder.glob("*.tsp"), key=lambda path: path.stat().st_size):
        problem = tsp(file)
        if problem.metric.name != "EUC_2D" or not 50 <= problem.n <= options.most or problem.open:
            continue
        if len(problem.fixed_edges):
            continue
        flat = problem.rounded("none")
        seen: list[tuple[int, float]] = []
        began = time.process_time()
        run = emulate(flat, watch=partial(note, seen))
        emulator = time.process_time() - began
        near = next(loops for loops, cost in seen if cost <= 1.05 * run.cost) / run.loops
        tour, _ = random_search(flat, seed=1)
        random = flat.cost(tour)
        began = time.process_time()
        climber = Climbers(instance := Instance.of(flat, threads=1), instance.enter(np.arange(flat.n, dtype=np.int32)))
        climber.descend()
        lists_seconds = time.process_time() - began
        lists = flat.cost(instance.leave(climber.best()[0]))
        ratios.append(run.cost / random)
        against.append(run.cost / lists)
        speedups.append(lists_seconds / run.seconds)
        emulators.append((problem.n, emulator / run.seconds))
        print(
            f"{problem.name:<10} {problem.n:>5} {run.loops:>7} {run.seconds * 1e6:>10.1f} {run.cost:>10.0f}"
            f" {random:>10.0f} {100 * ratios[-1] - 100:>6.2f} {lists:>10.0f} {100 * against[-1] - 100:>6.2f}"
            f" {emulator:>10.3f} {lists_seconds * 1e6:>9.0f} {speedups[-1]:>8.2f} {near:>9.0%}",
            flush=True,
        )
    print(
        f"{len(ratios)} instances: machine's tours {100 * np.mean(ratios) - 100:+.2f}% against random moves,"
        f" {100 * np.mean(against) - 100:+.2f}% against neighbour lists, hardware {np.mean(speedups):.1f} times as fast"
    )
    if options.figures:
        cities = [n for n, _ in emulators]
        figures(options.figures, emulators, *(list(zip(cities, part, strict=True)) for part in (against, speedups)))


def figures(folder: Path, emulators: Points, lengths: Points, lists: Points) -> None:
    """Draw figures 7 to 9 of Mavroidis (2011), one point per file: speed-ups over emulator and lists, tour lengths."""
    draw(
        folder / "fpga_speed.svg",
        {"over the emulator": emulators, "over neighbour lists": lists},
        Axes("cities", "times as fast", "the machine, predicted, over one CPU core", log_x=True, log_y=True),
        joined=False,
    )
    draw(
        folder / "fpga_length.svg",
        {"machine": [(n, 100 * ratio) for n, ratio in lengths]},
        Axes("cities", "% of the lists' tour", "tours of the machine against neighbour lists", log_x=True),
        joined=False,
    )


def curve(problem: wt.TSP, output: Path) -> None:
    """Draw the tour length over the moves evaluated, for the machine and for random moves."""
    machine: list[tuple[float, float]] = []
    chance: list[tuple[float, float]] = []
    width = 2 * (problem.n // 4)
    emulate(problem, watch=lambda loops, cost: machine.append((float(loops) * width, cost)))
    random_search(problem, seed=1, watch=lambda moves, cost: chance.append((float(moves), cost)))
    start = problem.cost(np.arange(problem.n))
    most = max(machine[-1][0], chance[-1][0])
    least = min(machine[-1][1], chance[-1][1])

    def line(points: list[tuple[float, float]], colour: str) -> str:
        places = " ".join(
            f"{60 + 660 * x / most:.1f},{340 - 300 * (y - least) / (start - least):.1f}"
            for x, y in [(0.0, start), *points]
        )
        return f'<polyline points="{places}" fill="none" stroke="{colour}" stroke-width="2"/>'

    output.write_text(
        "\n".join(
            [
                '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 760 400" font-family="sans-serif">',
                '<rect width="760" height="400" fill="white"/>',
                '<path d="M60,30 V340 H720" fill="none" stroke="#1a202c"/>',
                line(machine, "#c53030"),
                line(chance, "#2b6cb0"),
                f'<text x="400" y="60" fill="#c53030">symmetric moves: {machine[-1][1]:.0f}</text>',
                f'<text x="400" y="82" fill="#2b6cb0">random moves: {chance[-1][1]:.0f}</text>',
                f'<text x="60" y="20">length of the tour of {problem.name}, from {start:.0f}</text>',
                f'<text x="720" y="362" text-anchor="end">{most / 1e6:.1f} million moves evaluated</text>',
                "</svg>",
            ]
        )
        + "\n",
        encoding="utf-8",
    )


if __name__ == "__main__":
    main()
