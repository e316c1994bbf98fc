"""Figure 20: the GPU against the CPU."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from warptour.bench import Options, Row
from warptour.engines.self_check import sound_device
from warptour.model.errors import UnsupportedError
from warptour.reproduce.exhibit import Exhibit, Plot
from warptour.reproduce.mavroidis.annealing import descent, instances


def measure(options: Options) -> Iterator[Row]:
    """Yield how many times faster the descent of each instance is on the GPU than on one core."""
    device, _ = sound_device(options.device, options.threads)
    if device.about().kind != "gpu":
        raise UnsupportedError(f"a GPU is compared with the CPU here, and {device.name} is none")
    core, _ = sound_device("cpu", 1)
    for problem, printed in instances(options):
        ratio = descent(core, problem)[0] / descent(device, problem)[0]
        peer = printed.cpu_ms / printed.gpu_ms if printed else None
        yield Row("mavroidis", problem.name, problem.n, device.name, ratio, "times", peer=peer)


def lines(rows: list[Row]) -> dict[str, list[tuple[float, float]]]:
    """Return the ratios over the number of cities."""
    return {
        "ours": [(row.n, row.value) for row in rows],
        "Mavroidis (2011)": [(row.n, row.peer) for row in rows if row.peer is not None],
    }


EXHIBIT: Final = Exhibit(
    "figure-20",
    "Figure 20: speed-up of a descent on the GPU over one core of the CPU",
    "His GPU is a GTX 280 and his CPU a Pentium at 3 GHz; the paper's ratios are computed from his table.",
    measure,
    (
        Plot(
            "symmetric_gpu",
            "cities",
            "times as fast",
            "a descent on the GPU over one core",
            lines,
            log_x=True,
            log_y=True,
            joined=False,
        ),
    ),
)
