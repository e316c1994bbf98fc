"""``warptour roads``: tables of travel by streets, and a generated city to try them."""

from __future__ import annotations

import sys
from io import BytesIO
from os import fspath
from typing import Annotated, Any, Final

import numpy as np

from warptour.cli.declare import Only
from warptour.cli.options import Json, notes
from warptour.cli.output import check_writable
from warptour.cli.show import show_json, show_rows
from warptour.io.files import write_atomic
from warptour.io.reading import ReadOptions
from warptour.model.clock import format_duration
from warptour.model.errors import UsageError
from warptour.model.option import Argument, Option
from warptour.observe.road_progress import road_progress
from warptour.roads.city import write_city

READING: Final = "latlon columns ignore decimal roads profile snap osrm valhalla"
ACTIONS: Final = ("matrix", "city")
LEAST, MOST = 12, 2000
"""Smallest and largest city, in streets from side to side."""


def roads(
    action: Annotated[str, Argument("matrix: travel between the stops of FILE; city: an extract to try it.", "ACTION")],
    subject: Annotated[str, Argument("The file of stops, or how many streets the city has.", "FILE|N")],
    given: Annotated[ReadOptions, Only(READING)],
    output: Annotated[str, Option("Write it here.", "--output -o", metavar="FILE.npz|FILE.osm.pbf")],
    seed: Annotated[int, Option("The same seed gives the same city.")] = 0,
    as_json: Json = False,
) -> int:
    """Compute distances and durations by streets."""
    if action not in ACTIONS:
        raise UsageError(f"roads does {' or '.join(ACTIONS)}, not {action!r}")
    return _matrix(subject, given, output, as_json=as_json) if action == "matrix" else _city(subject, output, seed)


def _matrix(file: str, given: ReadOptions, output: str, *, as_json: bool) -> int:
    inputs = [file, *(fspath(path) for path in (given.roads,) if path is not None)]
    check_writable(output, "--output", (".npz",), inputs)
    if not given.by_roads:
        raise UsageError("roads matrix needs streets: --roads region.osm.pbf, --osrm URL or --valhalla URL")
    with notes(), road_progress(sys.stderr):
        stops = given.read_stops(file)
    streets = stops.streets
    assert streets is not None
    assert stops.map is not None
    arrays: dict[str, Any] = {
        "distances": streets.distances, "durations": streets.durations, "points": stops.map,
        **({} if stops.labels is None else {"names": np.array(stops.labels)}),
    }  # fmt: skip
    content = BytesIO()
    np.savez(content, **arrays)
    write_atomic(output, [content.getvalue()])
    far, long = int(streets.distances.max()), int(streets.durations.max())
    if as_json:
        show_json({
            "stops": stops.n, "longest_distance": far, "longest_duration": long, "output": output,
            "warnings": list(stops.warnings),
        })  # fmt: skip
    else:
        longest = f"{far / 1000:,.1f} km, {format_duration(long)}"
        show_rows({"stops": f"{stops.n:,}", "longest": longest, "written": output})
    return 0


def _city(blocks: str, output: str, seed: int) -> int:
    streets = int(blocks) if blocks.isascii() and blocks.isdecimal() and len(blocks) < 9 else 0
    if not LEAST <= streets <= MOST:
        raise UsageError(f"a city has {LEAST} to {MOST} streets from side to side, not {blocks!r}")
    check_writable(output, "--output")
    ways = write_city(output, streets, seed=seed)
    print(f"{ways:,} streets and ferries written to {output}")
    return 0
