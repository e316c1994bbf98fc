"""The options of ``solve``, which ``solve_points``, ``solve_matrix`` and the command line take too."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from os import PathLike
from typing import Annotated, Any, Final, TypedDict

from numpy.typing import ArrayLike

from warptour.api.arguments import Flag, Solution
from warptour.io.locked import Plan
from warptour.model.option import Option
from warptour.observe.events import Listener
from warptour.observe.interrupt import Interrupt
from warptour.search.stop import Stop
from warptour.search.strategy import Strategy
from warptour.strategies.registry import STRATEGIES

FILES: Final = "Files"
"""Heading of options in the help."""


@dataclass(frozen=True, kw_only=True, eq=False)
class SearchOptions:
    """What a search is asked to do; :func:`~warptour.api.solving.solve` documents the fields.

    Those that are annotated with their help are options of the command line.
    """

    strategy: Annotated[
        Strategy | str | None,
        Option(f"Search rule: {', '.join(STRATEGIES)}; by default the best for the problem.", metavar="NAME"),
    ] = None
    device: Annotated[
        str | Sequence[str],
        Option("Where to search: auto, all, cpu, cuda:N, opencl:N, or several of these: cuda:0,cpu."),
    ] = "auto"
    threads: Annotated[int | None, Option("Worker threads, up to 1024; all cores by default.")] = None
    cluster: Annotated[
        str | None,
        Option("Search with several processes: local:4 here, mpi under mpiexec, ray or ray:ADDRESS.", metavar="WHERE"),
    ] = None
    seconds: Annotated[float | None, Option("Time limit; 10 unless --iterations or --patience is given.")] = None
    iterations: Annotated[int | None, Option("Limit on the strategy's iterations.")] = None
    target: Annotated[float | None, Option("End at or below this cost.", metavar="COST")] = None
    patience: Annotated[
        float | None,
        Option("End after this long without an improvement; inf: small problems do not end early.", metavar="SECONDS"),
    ] = None
    stop: Stop | None = None
    cancel: Flag | None = None
    bound: Annotated[bool, Option("Prove a lower bound meanwhile, on one of the threads (tours only).")] = False
    prove: Annotated[bool, Option("Prove the tour optimal meanwhile by branch and cut, up to 3,000 cities.")] = False
    seed: Annotated[int | None, Option("The one source of randomness.")] = 0
    locked: Plan | None = None
    now: str | float | None = None
    change_cost: float | None = None
    start: Annotated[
        str | PathLike[str] | Solution | None, Option("Construction or solution to start from.", metavar="NAME|FILE")
    ] = None
    trace: Annotated[
        str | PathLike[str] | None, Option("Write a JSON line per improvement here.", metavar="FILE", group=FILES)
    ] = None
    tours: Annotated[bool, Option("Keep the tours beside the trace, in FILE.tours, for view.", group=FILES)] = False
    checkpoint: Annotated[
        str | PathLike[str] | None, Option("Keep the best solution here.", metavar="FILE", group=FILES)
    ] = None
    resume: Annotated[
        str | PathLike[str] | None, Option("Go on from such a checkpoint.", metavar="FILE", group=FILES)
    ] = None
    listeners: Iterable[Listener] = ()
    on_improvement: Callable[[float, Any], object] | None = None
    lower_bound: float | None = None
    progress: bool = False
    interrupt: Interrupt | None = None

    @property
    def bounding(self) -> bool:
        """Whether a lower bound is proved meanwhile."""
        return self.bound or self.prove


class SolveOptions(TypedDict, total=False):
    """The types of the keyword arguments of ``solve``, ``solve_points`` and ``solve_matrix``, for type checkers."""

    seconds: float | None
    iterations: int | None
    target: float | None
    stop: Stop | None
    patience: float | None
    cancel: Flag | None
    seed: int | None
    threads: int | None
    device: str | Sequence[str]
    cluster: str | None
    locked: Plan | None
    now: str | float | None
    change_cost: float | None
    start: str | PathLike[str] | Solution | None
    trace: str | PathLike[str] | None
    tours: bool
    listeners: Iterable[Listener]
    on_improvement: Callable[[float, Any], object] | None
    checkpoint: str | PathLike[str] | None
    resume: str | PathLike[str] | None
    lower_bound: float | None
    bound: bool
    prove: bool
    progress: bool
    interrupt: Interrupt | None


class PathOptions(SolveOptions, total=False):
    """The types of what ``solve_matrix`` takes besides."""

    strategy: Strategy | str | None
    name: str
    open: bool
    first: int | None
    last: int | None
    fixed_edges: ArrayLike | None


class PointOptions(PathOptions, total=False):
    """The types of what ``solve_points`` takes besides."""

    latlon: bool | None
    metric: str | None
