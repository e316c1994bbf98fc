"""The options of ``solve``, which ``solve_points`` and ``solve_matrix`` take too."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from os import PathLike
from typing import Any, TypedDict

from warptour.api.arguments import Flag, Solution
from warptour.observe.events import Listener
from warptour.observe.interrupt import Interrupt
from warptour.search.stop import Stop
from warptour.search.strategy import Strategy


class SolveOptions(TypedDict, total=False):
    """The keyword arguments of :func:`~warptour.api.solving.solve`, which documents them."""

    strategy: Strategy | str | None
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
    start: str | PathLike[str] | Solution | None
    trace: str | PathLike[str] | None
    tours: bool
    listeners: Iterable[Listener]
    on_improvement: Callable[[float, Any], object] | None
    checkpoint: str | PathLike[str] | None
    resume: str | PathLike[str] | None
    lower_bound: float | None
    bound: bool
    progress: bool
    interrupt: Interrupt | None
