"""Descents on the placed machine: cycles by clock, beside the model of table 2 and software."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from warptour.bench import Options, Row
from warptour.devices.cpu import Cpu
from warptour.papers.exhibit import Exhibit
from warptour.papers.mavroidis.engine.fpga import emulate
from warptour.papers.mavroidis.exhibits.annealing import descent
from warptour.papers.mavroidis.exhibits.machine import best_time, list_descent, named
from warptour.papers.mavroidis.exhibits.printed import QUICK, TABLE_1
from warptour.papers.mavroidis.exhibits.table_1 import DEVICE
from warptour.papers.mavroidis.fpga import CostModel
from warptour.papers.mavroidis.fpga.rtl import Design, Roots
from warptour.strategies.self_check import sound_device

CLOCKS: Final = {52: 163.4, 76: 140.6, 100: 148.3, 150: 142.0, 225: 131.4, 299: 133.4}
"""MHz of the machine with squared distances by number of cities, on an LFE5U-85F of grade 8, from ``table-1``."""

ROOT_CLOCKS: Final = {52: 142.0}
"""MHz of the machine with root units of five stages by number of cities, on the same device, from ``placed-units``."""


def measure(options: Options) -> Iterator[Row]:
    """Yield the time of a descent on the placed machine, of the model and of software, for each instance of table 1."""
    core, chosen = Cpu(1), sound_device(options.device, options.threads)[0]
    devices = [core] if chosen.is_host else [core, chosen]
    for name, printed in list(TABLE_1.items())[: QUICK if options.quick else None]:
        problem, _ = named(name, printed.n)
        flat, model = problem.rounded("none"), CostModel(megahertz=CLOCKS[printed.n])
        squared, rooted = emulate(flat, squared=True, model=model), emulate(flat)
        lists, _ = best_time(lambda flat=flat: list_descent(flat))  # type: ignore[misc]
        placed = [(f"placed at {model.megahertz:g} MHz, squares", squared.seconds, DEVICE)]
        if printed.n in ROOT_CLOCKS:
            roots = Design(printed.n, roots=Roots()).model(ROOT_CLOCKS[printed.n])
            seconds = emulate(flat, model=roots).seconds
            placed.append((f"placed at {roots.megahertz:g} MHz, roots", seconds, DEVICE))
        for what, seconds, on in (
            *placed,
            ("model of table 2, roots", rooted.seconds, "model"),
            ("neighbour lists", lists, "cpu"),
            *(("symmetric 2-opt", descent(device, problem)[0], device.name) for device in devices),
        ):
            yield Row("mavroidis", f"{problem.name}, {what}", problem.n, on, 1e6 * seconds, "us")
        longer = 100 * (squared.cost / rooted.cost - 1)
        yield Row("mavroidis", f"{problem.name}, tour of squares to roots", problem.n, "cpu", longer, "%")


EXHIBIT: Final = Exhibit(
    "placed-descents",
    "Time of a descent on the placed machine, cycles by clock, beside the model of table 2 and software",
    "Clocks are those that table-1 and placed-units measured once (docs/developer/fpga.md has them). Without root "
    "units the machine descends in squared distances, to another tour. Software runs on one core, symmetric 2-opt also "
    "on the GPU, if that is the device, one tour in one block. All start from the order of the file.",
    measure,
)
