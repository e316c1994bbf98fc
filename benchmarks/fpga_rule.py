"""How often the machine's stopping rule ends it before its tour is 2-optimal, and whether one more loop prevents that.

    python benchmarks/fpga_rule.py [--most 40] [--seeds 40]

The machine runs on ``uniform:N:SEED`` for N from 5 to ``--most`` and SEED from 0 on. An exact scan of all 2-opt moves
follows after n - 1 consecutive loops without a move, which is the rule of Mavroidis (2011), and again after n.
"""

from __future__ import annotations

import argparse

import numpy as np

import warptour as wt
from warptour.engines.symmetric.fpga import emulate, gain_left
from warptour.fpga import Machine, most_elements


def main() -> None:
    """Print the number of tours scanned, and how many of them had an improving move."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--most", type=int, default=40)
    parser.add_argument("--seeds", type=int, default=40)
    options = parser.parse_args()
    tours = by_rule = by_more = 0
    for n in range(5, options.most + 1):
        for seed in range(options.seeds):
            problem = wt.read(f"uniform:{n}:{seed}", rounding="none")
            assert isinstance(problem, wt.TSP)
            x, y = problem.points.T.tolist()
            machine = Machine(x, y, most_elements(n))
            ended = emulate(problem).tour
            if machine.run() != ended.tolist():
                raise SystemExit(f"{problem.name}: the Python machine and the native one differ")
            tours += 1
            by_rule += gain_left(problem, ended) > 0
            while machine.idle < n:
                machine.loop()
            by_more += gain_left(problem, np.array(machine.register, np.int32)) > 0
    print(f"{tours} tours; not 2-optimal after n - 1 quiet loops: {by_rule}, after n: {by_more}")


if __name__ == "__main__":
    main()
