"""Answers of other programs themselves, and problems on a line whose best routes are clear."""

import itertools

import numpy as np

import warptour as wt
from fleet_problems import fleet_problem
from warptour.compare.child import solve_with
from warptour.compare.handover import tables_file
from warptour.compare.peers.registry import PEERS, find_peer
from warptour.compare.run import judge
from warptour.compare.theirs import Theirs
from warptour.io.solution import read_solution
from warptour.model.metric import METRICS
from warptour.model.windows import TimeWindows


def answered(problem, folder, peer="PyVRP", seconds=0.5):
    theirs = Theirs(problem, find_peer(peer), 2, 600.0, folder)
    outcome = theirs.solve(seconds, 1)
    return outcome, judge(problem, "case", theirs, seconds, 1, outcome)


class Calls(solve_with.CostPrinter):
    """Over after a number of calls, whatever the time."""

    def __init__(self, calls):
        super().__init__(1e9)
        self.left = calls

    def over(self):
        self.left -= 1
        return self.left < 0


def found_here(problem, folder, peer, calls):
    """Solve as in a child, in this process; return the cost of the answer and what is wrong with it."""
    module = next(each for each in PEERS if each.name == peer)
    handed = tables_file(problem, folder, module.longest)
    with np.load(handed.file) as file:
        tables = {name: file[name] for name in file.files}
    routes = solve_with.SOLVERS[module.module](tables, Calls(calls), 1)
    (folder / "answer.sol").write_text("".join(solve_with.answer_lines(tables, routes)))
    report = problem.check(read_solution(folder / "answer.sol", problem, strict=False))
    return report.cost, report.violations


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


def tiny_fleets(peer, count):
    """Random problems of five customers that a program knows, and the lowest cost of each."""
    kind = next(each for each in PEERS if each.name == peer)
    for problem in (fleet_problem(seed, 5) for seed in itertools.count()):
        if kind.refuses(kind.__new__(kind), problem) is None and (best := lowest_cost(problem)) is not None:
            yield problem, best
            count -= 1
            if count == 0:
                return


def lowest_cost(problem):
    """The cost of the best routes of few stops; None if none are feasible."""
    try:
        return wt.solve(problem, iterations=5000, threads=1, device="cpu").cost
    except wt.WarptourError:
        return None
