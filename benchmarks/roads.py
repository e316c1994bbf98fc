"""How long roads take: reading a generated city, building its network and hierarchy, and tables of stops.

    python benchmarks/roads.py 120 300 --stops 1000
    python benchmarks/roads.py 120 --pandana          # with pandana beside it, where it is installed

Each city is written to a temporary folder, or kept in ``--folder``. Seconds are of the clock and of the processor, all
threads together.
"""

from __future__ import annotations

import argparse
import os
import resource
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from warptour.roads.city import BLOCK, ORIGIN, write_city
from warptour.roads.extract import read_extract
from warptour.roads.graph import Roads, open_roads
from warptour.roads.network import network_of
from warptour.roads.profile import profile_of
from warptour.roads.tables import costs_between, matrix


def main() -> None:
    """Measure the cities asked for."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("blocks", type=int, nargs="+", help="streets from side to side")
    parser.add_argument("--stops", type=int, nargs="+", default=[1000], help="sizes of the tables")
    parser.add_argument("--buildings", type=float, default=4, help="buildings for each junction")
    parser.add_argument("--folder", type=Path, help="keep the cities there")
    parser.add_argument("--pandana", action="store_true", help="measure pandana, too")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        for blocks in options.blocks:
            path = (options.folder or Path(temporary)) / f"city{blocks}.osm.pbf"
            if not path.exists():
                write_city(path, blocks, buildings=options.buildings)
            measure(path, blocks, options.stops, pandana=options.pandana)


@contextmanager
def timed(what: str) -> Iterator[None]:
    """Print how long the block takes."""
    wall, cpu = time.perf_counter(), time.process_time()
    yield
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"  {what:32} {wall:8.2f} s {cpu:8.2f} CPU s {peak:8.0f} MB at most so far", flush=True)


def measure(path: Path, blocks: int, stops: list[int], *, pandana: bool) -> None:
    """Print what one city takes."""
    print(f"{blocks} x {blocks} junctions, {os.path.getsize(path) / 1e6:.1f} MB", flush=True)
    kept = Path(f"{path}.car.roads")
    kept.unlink(missing_ok=True)
    with timed("reading"):
        extract = read_extract(path, profile_of("car"))
    with timed("network"):
        network = network_of(extract)
    print(f"  {len(extract.ways):,} ways, {network.vertices:,} vertices, {len(network.tails):,} arcs", flush=True)
    del extract
    with timed("all, and keeping it"):
        open_roads(path)
    with timed(f"opening what is kept, {os.path.getsize(kept) / 1e6:.0f} MB"):
        roads = open_roads(path)
    with timed("index of streets"):
        spots = roads.index
    for count in stops:
        lon, lat = np.random.default_rng(count).uniform(0.02, 0.98, (2, count)) * BLOCK * (blocks - 1)
        places = np.column_stack((ORIGIN[1] + lat, ORIGIN[0] + 1.5 * lon))
        with timed(f"snapping {count:,} stops"):
            found = spots.nearest(places)
        with timed(f"table of {count:,} x {count:,}"):
            costs_between(roads, found)
        with timed(f"matrix() of {count:,} stops, all in all"):
            matrix(places, path)
        if pandana:
            beside_pandana(roads, count)


def beside_pandana(roads: Roads, count: int) -> None:
    """Print what pandana takes for the same network, between vertices: it knows no places on streets."""
    import pandana
    import pandas

    network = roads.network
    own = network.ways[roads.arcs]
    nodes = pandas.DataFrame({"x": np.zeros(network.vertices), "y": np.zeros(network.vertices)})
    seconds = pandas.DataFrame({"seconds": network.times[own] / 1000})
    ends = [pandas.Series(each) for each in (network.tails[roads.arcs], network.heads[own])]
    built: list[Any] = []
    with timed("pandana: hierarchy"):
        built.append(pandana.Network(nodes.x, nodes.y, *ends, seconds, twoway=False))
    some = np.random.default_rng(1).integers(0, network.vertices, count)
    ask: Callable[..., Any] = built[0].shortest_path_lengths
    with timed(f"pandana: {count:,} x {count:,}"), warnings.catch_warnings(action="ignore"):
        ask(np.repeat(some, count), np.tile(some, count))


if __name__ == "__main__":
    main()
