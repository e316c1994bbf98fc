"""Table 2: loops of the machine, its predicted time, and its speed-up over software."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from warptour.bench import Options, Row
from warptour.papers.exhibit import Exhibit
from warptour.papers.mavroidis.engine.fpga import emulate
from warptour.papers.mavroidis.exhibits.machine import best_time, list_descent, named
from warptour.papers.mavroidis.exhibits.printed import QUICK, TABLE_2


def measure(options: Options) -> Iterator[Row]:
    """Yield loops, predicted time, time of software and speed-up for each instance."""
    for name, printed in list(TABLE_2.items())[: QUICK if options.quick else None]:
        problem, same = named(name, printed.n)
        flat = problem.rounded("none")
        run = emulate(flat)
        lists, _ = best_time(lambda flat=flat: list_descent(flat))  # type: ignore[misc]
        for what, value, unit, peer in (
            ("loops", run.loops, "loops", printed.loops),
            ("machine, predicted", 1e6 * run.seconds, "us", printed.machine),
            ("software", 1e6 * lists, "us", printed.concorde),
            ("speed-up", lists / run.seconds, "times", printed.speed_up),
        ):
            yield Row(
                "mavroidis", f"{problem.name}, {what}", problem.n, "cpu", value, unit, peer=peer if same else None
            )


EXHIBIT: Final = Exhibit(
    "table-2",
    "Table 2: loops of the machine, its time at 35 cycles of 150 MHz per loop, and its speed-up over software",
    "The software is our descent by neighbour lists (2-opt and or-opt) on one core of this machine; his is Concorde's "
    "2-opt on a Pentium at 3 GHz. Both start from the order of the file.",
    measure,
)
