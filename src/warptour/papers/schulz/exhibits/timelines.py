"""Figures 7 to 9 and 20 to 23: the phases of one iteration, and how long the device is idle."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from itertools import accumulate
from typing import Final

from warptour.bench import Options, Row, beside_gpu
from warptour.papers.exhibit import Exhibit, Lines, Plot
from warptour.papers.schulz.engine.fitness import FitnessEngine
from warptour.papers.schulz.engine.instance import Ints
from warptour.papers.schulz.engine.version import BENCHMARK, BEST, COMBINED, Version
from warptour.papers.schulz.exhibits.instances import AS_IN_TABLE_5, case_of
from warptour.papers.schulz.exhibits.measuring import MEANS, QUICK, device_of, enough_of, mean_seconds
from warptour.papers.schulz.printed import IDLE, NAME, SPLIT_NODES

PHASES: Final = {
    "clearing": ("clear",),
    "hierarchies": ("hierarchy",),
    "evaluation": ("2-opt", "3-opt"),
    "reduction": ("reduce",),
    "move": ("apply",),
}
"""Phases of an iteration by the first words of their kernels."""


@dataclass(frozen=True)
class Timeline:
    """A figure: an iteration of a version at a number of nodes, its neighbourhood in ``parts``."""

    number: int
    what: str
    says: str
    version: Version
    neighborhood: int
    nodes: int
    parts: int = 1

    @property
    def name(self) -> str:
        """Name of the exhibit."""
        return f"figure-{self.number}"


FIGURES: Final = (
    Timeline(7, "Benchmark Version", "the GPU is idle about 40% of the time.", BENCHMARK, 2, 399),
    Timeline(8, "Benchmark Version", "the GPU is busy most of the time.", BENCHMARK, 2, 2401),
    Timeline(9, "Benchmark Version", "evaluation dominates even more.", BENCHMARK, 3, 399),
    Timeline(20, "improved kernels", "the GPU is around 60% idle.", COMBINED, 2, 399),
    Timeline(21, "improved kernels, overlapped", "less idle time, but some.", BEST[2], 2, 399),
    Timeline(22, "improved kernels, overlapped", "the GPU is busy practically the whole time.", BEST[2], 2, 967),
    Timeline(
        23,
        "split and overlapped",
        "the table of each part is copied while the last one runs.",
        BEST[3],
        3,
        SPLIT_NODES,
        4,
    ),
)


def measure(timeline: Timeline, options: Options) -> Iterator[Row]:
    """Yield the time of each phase, that of a whole iteration, and the share of it in which the device is idle."""
    device = device_of(options)
    case = case_of(QUICK[-1] if options.quick else timeline.nodes)
    unsplit = FitnessEngine(case.instance, device, timeline.version, timeline.neighborhood)
    phases = phases_of(unsplit, case.start)
    engine = unsplit
    if timeline.parts > 1:
        engine = FitnessEngine(case.instance, device, timeline.version, timeline.neighborhood, parts=timeline.parts)
        phases["merging"] = max(0.0, evaluation(engine, case.start) - phases["clearing"] - phases["evaluation"])
    iteration = mean_seconds(engine, case.start, device, enough_of(options))
    row = partial(Row, NAME, n=case.nodes, device=device.name)
    for name, seconds in phases.items():
        yield row(f"{timeline.neighborhood}-opt: {name}", value=1e3 * seconds, unit="ms")
    yield row(f"{timeline.neighborhood}-opt: iteration", value=1e3 * iteration, unit="ms")
    peer = None if options.quick else beside_gpu(device, IDLE.get(timeline.name))
    idle = idle_percent(sum(phases.values()), iteration)
    yield row(f"{timeline.neighborhood}-opt: idle", value=idle, unit="%", peer=peer)


def phases_of(engine: FitnessEngine, start: Ints) -> dict[str, float]:
    """Return the device time of each phase in the first iteration."""
    engine.load(start)
    seconds = engine.kernel_seconds()
    return {
        phase: sum(value for name, value in seconds.items() if name.startswith(words))
        for phase, words in PHASES.items()
    }


def evaluation(engine: FitnessEngine, start: Ints) -> float:
    """Return the device time of the evaluation of all parts, their merging and what they wait for tables."""
    engine.load(start)
    engine.evaluate()
    with engine.device.timed() as elapsed:
        engine.evaluate()
    return elapsed.seconds


def idle_percent(busy: float, iteration: float) -> float:
    """Return the share of an iteration in which no kernel runs."""
    return 100 * max(0.0, 1 - busy / iteration)


def bars(rows: list[Row]) -> Lines:
    """Return a bar for each phase, one below the other, from its begin to its end within the iteration."""
    phases = [(row.case.rpartition(": ")[2], row.value) for row in rows if row.unit == "ms"]
    ends = list(accumulate(value for name, value in phases if name != "iteration"))
    shown = {}
    for place, (name, value) in enumerate(phases):
        begin = 0.0 if name == "iteration" else ends[place] - value
        shown[name] = [(begin, float(len(phases) - place)), (begin + value, float(len(phases) - place))]
    return shown


def exhibit(timeline: Timeline) -> Exhibit:
    """Return the exhibit of one figure."""
    title = f"one {timeline.neighborhood}-opt iteration, {timeline.what}"
    plot = Plot(f"schulz_{timeline.name.replace('-', '_')}", "milliseconds", "phase", title, bars)
    return Exhibit(
        timeline.name,
        f"Figure {timeline.number}: timeline of {title}, {timeline.nodes:,} nodes",
        f"The figure is a screen shot of NSIGHT; the text: {timeline.says} Kernels are timed one by one, on CUDA as "
        f"graphs, so without gaps between them; the device is idle for what an iteration takes beyond their sum. "
        f"{MEANS} {AS_IN_TABLE_5}",
        partial(measure, timeline),
        (plot,),
    )


EXHIBITS: Final = tuple(exhibit(timeline) for timeline in FIGURES)
