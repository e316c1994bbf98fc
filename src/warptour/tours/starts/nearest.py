"""Nearest-neighbour heuristic: from each city go to the nearest unvisited one."""

from __future__ import annotations

from ctypes import c_int32

import numpy as np
from numpy.typing import NDArray

from warptour.candidates.space import norm_code, spots
from warptour.candidates.tree import Tree
from warptour.kernels.groups import Over, go_on
from warptour.kernels.library import array, kernel
from warptour.model.problem import TSP
from warptour.tours.starts.chains import FixedChains
from warptour.tours.starts.task import StartTask

Int32s = NDArray[np.int32]

SHARE = 1 << 15
"""Cities visited per native call: at most 50 ms."""

SOME = 100
"""Cities visited between two polls of ``over``, for matrices."""


def nearest(task: StartTask) -> Int32s:
    """Return a nearest-neighbour tour, about 25% above the optimum, from the given first city or a random one.

    A chain of fixed edges is entered at its nearer end and left at the other.
    """
    problem = task.problem
    chains = FixedChains.of_problem(problem)
    begin = _first_chain(problem, chains, task.rng)
    end = None if problem.last is None else int(chains.of[problem.last])
    flipped = np.zeros(chains.count, np.bool_)
    flipped[begin] = problem.first is not None and chains.heads[begin] != problem.first
    if end is not None:
        flipped[end] = chains.tails[end] != problem.last
    leave = int((chains.heads if flipped[begin] else chains.tails)[begin])
    if chains.count == 1:
        return chains.emit(np.zeros(1, np.int64), flipped)
    barred = [begin] if end is None else [begin, end]
    visit = _visit_matrix if problem.matrix is not None else _visit_in_space
    entries = visit(problem, chains, leave, barred, task.threads, task.over)
    visited = chains.of[entries]
    flipped[visited] = chains.heads[visited] != entries
    order = np.concatenate(([begin], visited, [] if end is None else [end])).astype(np.int32)
    return chains.emit(order, flipped)


def _first_chain(problem: TSP, chains: FixedChains, rng: np.random.Generator) -> int:
    if problem.first is not None:
        return int(chains.of[problem.first])
    begin = int(chains.of[rng.integers(problem.n)])
    if problem.last is not None and begin == chains.of[problem.last]:
        begin = (begin + 1) % chains.count
    return begin


def _visit_in_space(
    problem: TSP, chains: FixedChains, leave: int, barred: list[int], threads: int | None, over: Over | None
) -> Int32s:
    """Return, in order of visit, the city where each chain not in ``barred`` is entered, starting from ``leave``."""
    heads, tails = chains.heads, chains.tails
    ends = np.unique(np.concatenate([heads, tails])) if chains.count < problem.n else heads
    tree = Tree(spots(problem)[ends], norm_code(problem), threads, over)
    spot_of = np.full(problem.n, -1, np.int32)
    spot_of[ends[tree.ids]] = np.arange(tree.count, dtype=np.int32)
    mate = np.empty(tree.count, np.int32)
    mate[spot_of[heads]], mate[spot_of[tails]] = spot_of[tails], spot_of[heads]
    gone = np.zeros(tree.count, np.int32)
    for chain in barred:
        gone[spot_of[[heads[chain], tails[chain]]]] = 1
    left = tree.counts(gone == 0)
    visits, state = np.empty(chains.count, np.int32), np.array([spot_of[leave], 0], np.int32)
    reals, ints, out = array(np.float64, 2), array(np.int32), array(np.int32, output=True)
    gap = array(np.float64, output=True)
    step = kernel("tree_walk", reals, reals, *(c_int32,) * 4, out, out, ints, out, out, c_int32, gap, out)
    shape = (tree.count, tree.dimensions, tree.norm, tree.levels)
    found = np.empty(1), np.empty(1, np.int32)
    while left[1] > 0:
        go_on(over)
        step(0, 1, tree.spots, tree.boxes, *shape, left, gone, mate, visits, state, SHARE, *found)
    return ends[tree.ids[visits[: state[1]]]]


def _visit_matrix(
    problem: TSP, chains: FixedChains, leave: int, barred: list[int], threads: int | None, over: Over | None
) -> Int32s:
    matrix = problem.matrix
    assert matrix is not None
    away = np.ones(problem.n, np.bool_)  # cities that cannot be entered
    away[chains.heads] = away[chains.tails] = False
    for chain in barred:
        away[[chains.heads[chain], chains.tails[chain]]] = True
    entries = np.empty(chains.count - len(barred), np.int32)
    for number in range(len(entries)):
        if number % SOME == 0:
            go_on(over)
        entry = int(np.where(away, np.inf, matrix[leave]).argmin())
        head, tail = int(chains.heads[chains.of[entry]]), int(chains.tails[chains.of[entry]])
        away[[head, tail]] = True
        leave = tail if entry == head else head
        entries[number] = entry
    return entries
