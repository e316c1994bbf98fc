"""``--plot`` and ``--map``: pictures of the solution."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from warptour.cli.failure import complain
from warptour.cli.output import attempt, check_writable
from warptour.model.problem import TSP
from warptour.model.vehicles import VRP
from warptour.observe import canvas
from warptour.observe import map as maps
from warptour.observe.picture import check_drawable
from warptour.observe.plot import check_plot, write_plot
from warptour.observe.result import Result


@dataclass(frozen=True)
class Pictures:
    """The files asked for, None for those that are not."""

    plot: str | None
    map: str | None

    @property
    def wanted(self) -> list[str]:
        """All files asked for."""
        return [path for path in (self.plot, self.map) if path is not None]

    def check_files(self, inputs: Sequence[str | None]) -> None:
        """Reject files that could not be written after a long run, or that would overwrite one of `inputs`."""
        check_writable(self.plot, "--plot", canvas.SUFFIXES, inputs)
        check_writable(self.map, "--map", maps.SUFFIXES, inputs)

    def check_problem(self, problem: TSP | VRP) -> None:
        """Reject a problem that cannot be drawn, or not without a library that is missing."""
        if self.map is not None:
            check_drawable(problem)
        if self.plot is not None:
            check_plot(self.plot, problem)

    def draw(self, problem: TSP | VRP, result: Result, interrupt: object = None) -> list[str]:
        """Draw the solution; return the files written, and print why others were not."""
        written = []
        for path, write in ((self.plot, write_plot), (self.map, maps.write_map)):
            if path is None:
                continue
            reason = attempt(partial(write, path, problem, result.solution), path, interrupt)
            if reason is None:
                written.append(path)
            else:
                complain(f"warptour: {reason}")
        return written
