"""How many times faster ``tuned`` is than each rung, and than all cores of the CPU."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from warptour.bench import Options, Row
from warptour.papers.exhibit import Exhibit
from warptour.papers.oneil.exhibits.cities import first_cities, sizes
from warptour.papers.oneil.exhibits.rates import contenders, rate
from warptour.papers.oneil.exhibits.throughput import PAPER

PRINTED: Final = {"matr_s": 3.0, "matr_g": 3.0, "matr_g_ro": 3.0, "calc": 3.0}
"""Up to 3 times as fast as earlier GPU codes, which give each thread a climber."""

PRINTED_CPU: Final = 8.0
"""Up to 8 times as fast as their OpenMP version on 20 cores."""


def measure(options: Options) -> Iterator[Row]:
    """Yield the throughput of ``tuned`` divided by that of every other rung."""
    for n in sizes(options):
        problem = first_cities(n)
        taking = [contender for contender in contenders(options) if contender.refuses(problem) is None]
        tuned = next((contender for contender in taking if contender.name == "tuned"), None)
        if tuned is None:
            continue
        base = rate(tuned, problem, quick=options.quick)
        gpu = tuned.device.about().kind == "gpu"
        for other in taking:
            if other is tuned:
                continue
            same = other.device is tuned.device
            peer = (PRINTED.get(other.name) if same else PRINTED_CPU if other.name == "tile" else None) if gpu else None
            case = f"tuned over {other.title}, {problem.name}"
            yield Row(PAPER, case, n, tuned.device.name, base / rate(other, problem, quick=options.quick), "times",
                      peer=peer)  # fmt: skip


EXHIBIT: Final = Exhibit(
    "ratios",
    "Throughput of tuned over that of the other kernels and of the CPU",
    'The slides print "up to 3X" over earlier GPU codes on a K40 and "up to 8X" over 20 Xeon cores, without n. Here the'
    " cores are those of this machine; `tile` on them is the loop of the slides, vectorised.",
    measure,
)
