"""How regions grow: a simulation of one phase on many nodes, from measured rates.

    python benchmarks/cluster_growth.py [--cities 1e7 1e8 1e9] [--nodes 8 100 1000] [--gigabits 10 100] [--effort 1]
                                        [--threads 16] [--json]

One coordinator cuts the tour, sends every node its region over its one network link, the
nodes prepare, search until the same moment, and answer over the same link; the
coordinator checks and links each answer as it comes and joins them. A node searches until
the nodes have made `--effort` kicks per city together.

    efficiency    searching time of all nodes, as a share of nodes times the length of the phase
    95% at        length of a phase of which 95% is searching

The rates are arguments; their defaults were measured on 2026-11-16 on two cores of an ARM Neoverse,
in CPU seconds: uniform cities, 10 million in 8 regions (coordinator), 250,000 (preparation), 100,000 (kicks) and
600,000 (memory of a node).
"""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass

CITY_BYTES_OUT = 16
"""Two float64 coordinates per city; the order of the cities is the tour."""

CITY_BYTES_BACK = 4
"""The position of each city in the region's new tour."""

FRAGMENT_BYTES = 8
"""A fixed edge per fragment."""

FRAGMENTS = 0.9
"""Fragments of a region of m cities, over sqrt(m): 0.88 along a space-filling curve, 0.45 for a good tour."""


@dataclass(frozen=True)
class Rates:
    """What a city takes.

    Attributes
    ----------
    cut, out, join : float
        Seconds of one thread of the coordinator: for all regions before the first is sent; for a region as it is sent;
        for all regions after the last answer.
    label, back, reorder : float
        Seconds of all its threads together: before the first region is sent; for an answer; after the last.
    prepare : float
        Seconds of a node's threads together: neighbour lists and numbering.
    repair : float
        Seconds of one thread of a node: a pass over the tour.
    kicks : float
        Kicks per second and thread.
    node_bytes, coordinator_bytes : float
        Memory.
    """

    cut: float = 1.1e-8
    out: float = 3.3e-8
    join: float = 2.5e-8
    label: float = 1.8e-8
    back: float = 2.6e-8
    reorder: float = 1.0e-7
    prepare: float = 2.6e-6
    repair: float = 2.0e-6
    kicks: float = 7e3
    node_bytes: float = 220.0
    coordinator_bytes: float = 125.0


@dataclass(frozen=True)
class Outcome:
    """One phase; times in seconds, memory in GB."""

    cities: float
    nodes: int
    gigabits: float
    efficiency: float
    seconds: float
    sending: float
    preparing: float
    receiving: float
    serial: float
    seconds_at_95: float
    sent_gb: float
    received_gb: float
    node_gb: float
    coordinator_gb: float


def phase(cities: float, nodes: int, gigabits: float, threads: int, effort: float, rates: Rates) -> Outcome:
    """Return the phase in which all nodes together make ``effort`` kicks per city."""
    region = cities / nodes
    out = CITY_BYTES_OUT * region + FRAGMENT_BYTES * FRAGMENTS * math.sqrt(region)
    back = CITY_BYTES_BACK * region
    wire = gigabits * 1e9 / 8
    # the coordinator makes a region while the one before is on the wire
    send_each = max(out / wire, rates.out * region)
    receive_each = max(back / wire, rates.back * region / threads)
    cut = (rates.cut + rates.label / threads) * cities
    join = (rates.join + rates.reorder / threads) * cities
    ready = [cut + send_each * (node + 1) for node in range(nodes)]
    prepare = rates.prepare * region / threads + rates.repair * region
    needed = effort * cities / (rates.kicks * threads)  # seconds of all nodes together
    up = (needed + sum(ready)) / nodes + prepare
    up = max(up, ready[-1] + prepare)
    searched = sum(up - at - prepare for at in ready)
    length = up + receive_each * nodes + join
    idle = length - searched / nodes
    return Outcome(
        cities, nodes, gigabits, searched / nodes / length, length, send_each * nodes, prepare, receive_each * nodes,
        cut + join, idle / 0.05, out * nodes / 1e9, back * nodes / 1e9, rates.node_bytes * region / 1e9,
        rates.coordinator_bytes * cities / 1e9,
    )  # fmt: skip


def table(outcomes: Sequence[Outcome]) -> str:
    """Return the outcomes as a Markdown table."""
    lines = [
        "| cities | nodes | Gbit/s | send s | prepare s | receive s | cut and join s | phase s | efficiency | 95% at s "
        "| GB out and back | GB a node | GB coordinator |",
        "|---" * 13 + "|",
    ]
    for o in outcomes:
        lines.append(
            f"| {o.cities:,.0f} | {o.nodes:,} | {o.gigabits:g} | {o.sending:.1f} | {o.preparing:.1f} "
            f"| {o.receiving:.1f} | {o.serial:.1f} | {o.seconds:,.0f} | {o.efficiency:.0%} | {o.seconds_at_95:,.0f} "
            f"| {o.sent_gb:.2g} + {o.received_gb:.2g} | {o.node_gb:.2g} | {o.coordinator_gb:.3g} |"
        )
    return "\n".join(lines)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("--cities", type=float, nargs="+", default=[1e7, 1e8, 1e9])
    parser.add_argument("--nodes", type=int, nargs="+", default=[8, 100, 1000])
    parser.add_argument("--gigabits", type=float, nargs="+", default=[10.0, 100.0])
    parser.add_argument("--threads", type=int, default=16, help="of a node, and of the coordinator")
    parser.add_argument("--effort", type=float, default=1.0, help="kicks per city in a phase")
    parser.add_argument("--json", action="store_true")
    for name, value in asdict(Rates()).items():
        parser.add_argument(f"--{name.replace('_', '-')}", type=float, default=value)
    options = parser.parse_args()
    rates = Rates(**{name: getattr(options, name) for name in asdict(Rates())})
    outcomes = [
        phase(cities, nodes, gigabits, options.threads, options.effort, rates)
        for cities in options.cities
        for nodes in options.nodes
        for gigabits in options.gigabits
    ]
    print(json.dumps([asdict(outcome) for outcome in outcomes], indent=1) if options.json else table(outcomes))


if __name__ == "__main__":
    main()
