"""Minimum-weight perfect matching by PyMatching; also a program that reads and writes NumPy arrays.

PyMatching neither polls nor lets other threads run, so large graphs are matched by a process of its own, which can be
ended at any time: ``python match_edges.py < edges.npy > matching.npy``. It imports nothing of warptour.
"""

from __future__ import annotations

import ctypes
import signal
import sys
from contextlib import suppress
from importlib.util import find_spec

import numpy as np
from numpy.typing import NDArray

PR_SET_PDEATHSIG = 1
"""Option of the system call ``prctl`` that sets the signal sent when the parent dies."""


def installed() -> bool:
    """Return whether PyMatching is installed."""
    return find_spec("pymatching") is not None


def match_edges(edges: NDArray[np.float64]) -> NDArray[np.int32]:
    """Return the edges of least total weight that have every node as an end an odd number of times, shape (m, 2).

    With the triangle inequality that is a perfect matching. PyMatching rounds weights to 2**24 steps of the largest.

    ``edges``: (k, 3): two nodes and a weight for each edge, no edge twice. All nodes of an even number must be
        connected.
    """
    import pymatching

    graph = pymatching.Matching()
    largest = float(np.abs(edges[:, 2]).max())
    weights = edges[:, 2] / largest if largest > 0 else edges[:, 2]  # those above 2**24 would be left out
    for one, two, weight in zip(*edges[:, :2].T.astype(np.int64).tolist(), weights.tolist(), strict=True):
        graph.add_edge(one, two, weight=weight)
    return np.asarray(graph.decode_to_edges_array(np.ones(graph.num_detectors, np.uint8)), np.int32)


def end_with_parent() -> None:
    """Let the system end this process when the one that started it dies, where it can: on Linux."""
    with suppress(OSError, AttributeError, TypeError):
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


if __name__ == "__main__":
    end_with_parent()
    np.save(sys.stdout.buffer, match_edges(np.load(sys.stdin.buffer)))
