"""Figure 21: cost of annealing in descents."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from warptour.bench import Options, Row
from warptour.engines.self_check import sound_device
from warptour.model.errors import UnsupportedError
from warptour.reproduce.exhibit import Exhibit, Plot
from warptour.reproduce.mavroidis.annealing import annealed_until, descent, instances


def measure(options: Options) -> Iterator[Row]:
    """Yield the time in which annealing matches his percentage, in descents on the same device."""
    device, _ = sound_device(options.device, options.threads)
    gpu = device.about().kind == "gpu"
    known = [(problem, printed) for problem, printed in instances(options) if printed and problem.best_known]
    if not known:
        raise UnsupportedError("the percentages are for public instances, and WARPTOUR_DATA names no folder with them")
    for problem, printed in known:
        until = annealed_until(problem, printed, device, options)
        if until is not None:
            ratio = until[0] / descent(device, problem)[0]
            peer = printed.annealed_ms / printed.gpu_ms if gpu else None
            case = f"{problem.name}, annealed to {printed.annealed:g}%"
            yield Row("mavroidis", case, problem.n, device.name, ratio, "descents", peer=peer)


def lines(rows: list[Row]) -> dict[str, list[tuple[float, float]]]:
    """Return the ratios over the number of cities."""
    return {
        "ours": [(row.n, row.value) for row in rows],
        "Mavroidis (2011)": [(row.n, row.peer) for row in rows if row.peer is not None],
    }


EXHIBIT: Final = Exhibit(
    "figure-21",
    "Figure 21: time of annealing to his percentages, in descents without annealing",
    "His ratios are of times on a GTX 280, computed from his table; none stands beside a CPU. Our "
    "time limits are doubled from 12.5 ms until the percentage is reached; an "
    "instance that does not reach it within 3.2 s is left out.",
    measure,
    (
        Plot(
            "annealing_cost",
            "cities",
            "times a descent",
            "annealing to the percentages of Mavroidis (2011)",
            lines,
            log_x=True,
            log_y=True,
            joined=False,
        ),
    ),
)
