"""``warptour bench``: measured performance next to its limits."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Final

from warptour.bench import SUITES, Options, Row, run
from warptour.bench.columns import Column, figure, line, titles
from warptour.bench.energy import METHOD
from warptour.cli.options import CpuThreads, Device, Json
from warptour.cli.show import print_json
from warptour.model.errors import UsageError
from warptour.model.option import Argument, Option

COLUMNS: Final = (
    Column("case", 44), Column("n", 10, right=True), Column("device", 9), Column("value", 12, right=True),
    Column("unit", 14), Column("of limit", 8, right=True), Column("peer", 10, right=True),
)  # fmt: skip


def bench(
    suite: Annotated[str | None, Argument(f"One of: {', '.join(SUITES)}.", "SUITE")] = None,
    device: Device = "auto",
    threads: CpuThreads = None,
    quick: Annotated[bool, Option("Small cases only.")] = False,
    instance: Annotated[
        list[str] | None, Option("windows, cluster: what to solve, a name or uniform:N:SEED; may be repeated.")
    ] = None,
    seconds: Annotated[
        list[float] | None, Option("windows, cluster: after how many to look; may be repeated.", low=0)
    ] = None,
    seeds: Annotated[int, Option("windows: runs of which figures are the median.", low=1)] = 1,
    energy: Annotated[bool, Option("Joules per billion moves: the suite energy.", "--energy")] = False,
    as_json: Json = False,
) -> int:
    """Run benchmark SUITE and print each figure next to the limit of the device."""
    if suite is None and not energy:
        raise UsageError(f"bench needs a SUITE, one of {', '.join(SUITES)}, or --energy")
    if suite is not None and energy and suite != "energy":
        raise UsageError(f"--energy is a suite of its own; leave {suite} out")
    suite = suite or "energy"
    rows: list[Row] = []
    options = Options(device, threads, quick, tuple(instance or ()), tuple(seconds or ()), seeds)
    for row in run(suite, options):
        if not as_json:
            if not rows:
                print(titles(COLUMNS))
            print(_line(row), flush=True)
        rows.append(row)
    if as_json:
        print_json([asdict(row) for row in rows])
        return 0
    if suite == "energy":
        print(f"method: {METHOD}")
    if any(row.limit for row in rows):
        print(f"of limit: value in percent of {SUITES[suite].limit}")
    if any(row.peer is not None for row in rows):
        print(f"peer: {SUITES[suite].peer}")
    return 0


def _line(row: Row) -> str:
    share = f"{row.value / row.limit:.0%}" if row.limit else "-"
    return line(
        COLUMNS, [row.case, f"{row.n:,}", row.device, figure(row.value), row.unit, share, figure(row.peer)]
    )  # fmt: skip
