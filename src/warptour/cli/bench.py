"""``warptour bench``: measured performance next to its limits."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from warptour.bench import SUITES, Options, Row, run
from warptour.cli.options import Json
from warptour.cli.show import print_json
from warptour.kernels.cores import MAX_THREADS


def bench(
    suite: Annotated[str, typer.Argument(metavar="SUITE", help=f"One of: {', '.join(SUITES)}.")],
    device: Annotated[str, typer.Option(help="auto, cpu, cuda:N or opencl:N.")] = "auto",
    threads: Annotated[
        int | None, typer.Option(min=1, max=MAX_THREADS, help="Threads of the CPU; by default all.")
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Small cases only.")] = False,
    instance: Annotated[
        list[str] | None, typer.Option(help="windows: what to solve, a name or uniform:N:SEED; may be repeated.")
    ] = None,
    seconds: Annotated[
        list[float] | None, typer.Option(min=0.0, help="windows: after how many to look; may be repeated.")
    ] = None,
    seeds: Annotated[int, typer.Option(min=1, help="windows: runs of which figures are the median.")] = 1,
    as_json: Json = False,
) -> int:
    """Run benchmark SUITE and print each figure next to the limit of the device."""
    rows: list[Row] = []
    options = Options(device, threads, quick, tuple(instance or ()), tuple(seconds or ()), seeds)
    for row in run(suite, options):
        if not as_json:
            if not rows:
                print(f"{'case':<28} {'n':>9} {'device':<9} {'value':>12} {'unit':<12} {'of limit':>8} {'peer':>10}")
            print(_line(row), flush=True)
        rows.append(row)
    if as_json:
        print_json([asdict(row) for row in rows])
    return 0


def _line(row: Row) -> str:
    share = f"{row.value / row.limit:.0%}" if row.limit else "-"
    peer = f"{row.peer:,.4g}" if row.peer is not None else "-"
    return f"{row.case:<28} {row.n:>9,} {row.device:<9} {row.value:>12,.4g} {row.unit:<12} {share:>8} {peer:>10}"
