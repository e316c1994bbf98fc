"""Effect of the initial tour on best-improvement 2-opt and 3-opt: scans, seconds and final cost.

Ermis (2015, table 4.21) compares the order of the file with nearest neighbour; the other constructions are ours. The
seconds include the construction.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from warptour.bench import Options, Row
from warptour.io.generate import generate
from warptour.model.problem import TSP
from warptour.search.search import Search
from warptour.search.stop import Seconds
from warptour.strategies.fallback import run_in_time
from warptour.strategies.registry import STRATEGIES
from warptour.strategies.self_check import sound_device
from warptour.tours.starts.start import installed_starts

LIMIT: Final = 60.0
"""Time limit of one climb in seconds."""


def run(options: Options) -> Iterator[Row]:
    """Yield the initial and final cost, the scans and the seconds of each climb."""
    device, _ = sound_device(options.device, options.threads)
    gpu = device.about().kind == "gpu"
    sizes = {"2-opt": (200,), "3-opt": (100,)} if options.quick else {
        "2-opt": (500, 1000, 2000, 4000), "3-opt": (200, 500, 1000, 2000) if gpu else (200, 500),
    }  # fmt: skip
    descent: Any = STRATEGIES["descent"]
    for neighborhood, counts in sizes.items():
        for n in counts:
            problem = generate("uniform", n, seed=1)
            assert isinstance(problem, TSP)
            for name in installed_starts():
                first: list[float] = []
                search = Search(
                    problem, Seconds(LIMIT), threads=options.threads or 1, device=device,
                    listeners=[lambda event, first=first: first.append(event.state.cost)],  # type: ignore[misc]
                )  # fmt: skip
                run_in_time(descent((neighborhood,), quick=False, start=name), search)
                seconds = search.seconds
                assert search.cost is not None
                label = f"{neighborhood} from {name}"
                yield Row("starts", f"{label}, first cost", n, device.name, first[0], "cost")
                yield Row("starts", f"{label}, cost", n, device.name, float(search.cost), "cost")
                yield Row("starts", f"{label}, scans", n, device.name, search.iterations, "scans")
                yield Row("starts", f"{label}, time", n, device.name, seconds, "s")
