"""Answers of other programs themselves, and problems on a line whose best routes are clear."""

import numpy as np

import warptour as wt
from warptour.compare.peers.registry import find_peer
from warptour.compare.run import judge
from warptour.compare.theirs import Theirs
from warptour.model.metric import METRICS
from warptour.model.windows import TimeWindows


def answered(problem, folder, peer="PyVRP", seconds=0.5):
    theirs = Theirs(problem, find_peer(peer), 2, 600.0, folder)
    outcome = theirs.solve(seconds, 1)
    return outcome, judge(problem, "case", theirs, seconds, 1, outcome)


def on_a_line(places, **options):
    """Stops on a line, the depot at 0; distances are whole, services take no time."""
    points = np.column_stack((places, np.zeros(len(places))))
    windows = TimeWindows.of(options.pop("windows"), len(places))
    demands = np.append(0, np.ones(len(places) - 1, int))
    return wt.VRP("line", METRICS["EUC_2D"], points, demands=demands, capacity=9, windows=windows, **options)


def two_windows():
    """One route serves both stops only if it comes to the second in its later window."""
    return on_a_line([0, 5, 10], windows=[(0, 60), (12, 13), [(10, 11), (24, 40)]])


def fewer_first():
    """Two routes of 44 in all, or one of 64 that goes back and forth."""
    return on_a_line([0, 10, -10, 12], windows=[(0, 99), (50, 60), (34, 36), (0, 12)], fewest=True)


def dear_hours():
    """One route is 28 long and out for 62; two are as long, and out for 28."""
    return on_a_line([0, 10, -4], windows=[(0, 99), (10, 12), (60, 62)], hour_cost=1.5)
