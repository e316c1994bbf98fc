"""Steps of an evaluation in which each signal to the elements is high.

Distance j (a-b, d-c, a-c, d-b) has its operands chosen in steps I j (x) and I j + 1 (y), where I is 2, or the interval
between two roots; ``element.py`` shows the pipeline behind them.
"""

from __future__ import annotations

from warptour.papers.mavroidis.fpga.rtl.design import Design


def steps(design: Design) -> dict[str, set[int]]:
    """Return the steps, counted from 0, by the name of the signal."""
    interval = 2 if design.roots is None else design.roots.interval
    begins = [interval * j for j in range(4)]
    chosen = {
        "take_y": {begin + 1 for begin in begins},
        "take_d": {begins[j] + axis for j in (1, 3) for axis in (0, 1)},
        "take_c": {begins[j] + axis for j in (1, 2) for axis in (0, 1)},
        "clear": {2},
        "decide": {design.evaluation - 1},
    }
    if design.roots is None:
        return chosen | {"flip": {7}, "sample": {5}}
    summed = [begin + 5 for begin in begins]
    rooted = [step + design.root_bits for step in summed]
    return chosen | {
        "first": {begin + 3 for begin in begins},
        "advance": set(range(summed[0], design.evaluation, interval)),
        "collect": set(rooted),
        "flip": {rooted[2]},
        "sample": {rooted[0]},
    }
