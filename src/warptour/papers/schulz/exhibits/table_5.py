"""Table 5: seconds per iteration of the best versions, and of our own search."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from warptour.bench import Options, Row, beside_gpu
from warptour.papers.exhibit import Exhibit, Lines, Plot
from warptour.papers.schulz.engine.instance import Ints
from warptour.papers.schulz.engine.search import GiantSearch
from warptour.papers.schulz.engine.version import BEST
from warptour.papers.schulz.exhibits.instances import INSTANCES, case_of
from warptour.papers.schulz.exhibits.measuring import (
    ITERATIONS,
    LEFT_OUT,
    MEANS,
    device_of,
    enough_of,
    mean_seconds,
    over_sizes,
    sizes_of,
    while_short,
)
from warptour.papers.schulz.printed import GPU, ITERATION, NAME, SIZES

NEIGHBORHOODS: Final = {2: ("2-opt",), 3: ("2-opt", "3-opt")}
"""Complete neighbourhoods: 3-opt includes 2-opt."""


def measure(options: Options) -> Iterator[Row]:
    """Yield the seconds for each neighbourhood, program and size."""
    device = device_of(options)
    for neighborhood in (2, 3):
        for index in (3, 4):
            version = replace(BEST[neighborhood], index=index)
            printed = dict(zip(SIZES, ITERATION[neighborhood, index], strict=True))
            for nodes, seconds in over_sizes(options, version, neighborhood).items():
                case = f"{neighborhood}-opt, index mode {index}: {case_of(nodes).name}"
                yield Row(NAME, case, nodes, device.name, seconds, "s", None, beside_gpu(device, printed.get(nodes)))
        printed = dict(zip(SIZES, ITERATION[neighborhood, 4], strict=True))
        for nodes, seconds in our_seconds(options, neighborhood).items():
            case = f"{neighborhood}-opt, ours: {case_of(nodes).name}"
            yield Row(NAME, case, nodes, device.name, seconds, "s", None, beside_gpu(device, printed.get(nodes)))


def our_seconds(options: Options, neighborhood: int) -> dict[int, float]:
    """Return the mean seconds of an iteration of our search by nodes."""
    device = device_of(options)

    def seconds(nodes: int) -> float:
        case = case_of(nodes)
        search = GiantSearch(case.instance, device, NEIGHBORHOODS[neighborhood])
        if device.lanes > 1:
            record(search, case.start)
        return mean_seconds(search, case.start, device, enough_of(options))

    return while_short(sizes_of(options), neighborhood, seconds)


def record(search: GiantSearch, start: Ints) -> None:
    """Make iterations that record launches, for both of the arrays that take turns."""
    search.load(start)
    for count in (ITERATIONS, 1, ITERATIONS):
        search.steps(count)


def lines(rows: list[Row]) -> Lines:
    """Return seconds over nodes, and those of the paper's GPU."""
    series: Lines = {}
    for row in rows:
        label = row.case.partition(":")[0]
        series.setdefault(label, []).append((row.n, row.value))
        if row.peer is not None and "ours" not in label:
            series.setdefault(f"{label}, {GPU}", []).append((row.n, row.peer))
    return series


EXHIBIT: Final = Exhibit(
    "table-5",
    "Table 5: seconds per iteration by nodes of the giant tour",
    f"{MEANS} {LEFT_OUT} {INSTANCES} An iteration of the paper's program evaluates all neighbours, so its time "
    "depends on the number of nodes alone, and its values stand beside generated instances too. `ours` looks at the "
    "feasibility of those moves alone that beat the best one so far, and is compared with index mode 4.",
    measure,
    (Plot("schulz_table_5", "nodes", "seconds per iteration", "Table 5", lines, log_x=True, log_y=True),),
)
