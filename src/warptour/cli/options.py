"""Options and arguments shared by several commands."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, TypeAlias

from warptour.io.reading import ReadOptions
from warptour.kernels.cores import MAX_THREADS
from warptour.model.errors import InputWarning
from warptour.model.option import Argument, Option
from warptour.model.problem import TSP
from warptour.model.vehicles import VRP
from warptour.observe.road_progress import road_progress

File: TypeAlias = Annotated[
    str, Argument("A .tsp, .vrp, .csv, .xlsx or .npy file, uniform:N:SEED, or - for standard input.", "FILE")
]
Device: TypeAlias = Annotated[str, Option("auto, cpu, cuda:N or opencl:N.")]
CpuThreads: TypeAlias = Annotated[int | None, Option("Threads of the CPU; by default all.", low=1, high=MAX_THREADS)]
Json: TypeAlias = Annotated[bool, Option("Print one JSON object.", "--json")]


@contextmanager
def notes() -> Iterator[None]:
    """Print input warnings, one line each, on standard error."""
    with warnings.catch_warnings():
        warnings.simplefilter("always", InputWarning)
        yield


def read_given(file: str, given: ReadOptions) -> TSP | VRP:
    """Return the problem in ``file``; print what may be a mistake."""
    with notes(), road_progress(sys.stderr):
        return given.read(file)
