"""How a search grows with workers: processes of this machine with two threads each.

    warptour bench cluster                                        # the whole table; half an hour on 16 cores
    warptour bench cluster --instance uniform:1000000:1 --seconds 60

For each instance, all after the same wall time:

- the gap of 1, 2, 4, ... workers on it, beside that of one process with as many threads as all of them;
- for regions the efficiency: what the workers gained from a space-filling curve, in percent of what as many processes
  gain in the same time that have a share of the cities each, all at once, every one bound to its own cores;
- for the same workers, in percent of the time, how long such a process takes for the gap that they reached together;
- bytes to and from a worker, in a phase of regions and else in all, and the largest memory of a worker.

Gaps are as in ``bench windows``.
"""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import mean
from typing import Any, Final

from warptour.bench import Options, Row
from warptour.bench.windows import gap
from warptour.cluster.islands.archipelago import Islands
from warptour.cluster.links.link import Link
from warptour.cluster.links.local import ProcessLink
from warptour.cluster.links.open import open_cluster
from warptour.cluster.plan import divided
from warptour.cluster.regions.regions import TourRegions
from warptour.io.read import read
from warptour.kernels.cores import usable_cores
from warptour.model.problem import TSP
from warptour.model.vehicles import VRP
from warptour.observe.child import program
from warptour.observe.events import Event, Improved
from warptour.search.search import Search
from warptour.search.stop import Seconds
from warptour.strategies.registry import default_strategy
from warptour.tours.starts.start import start

SUITE: Final = "cluster"
THREADS: Final = 2
"""Threads of a worker."""

CASES: Final = {"uniform:100000:1": 20.0, "uniform:1000000:1": 30.0, "uniform:10000000:1": 60.0, "X-n1001-k43": 20.0}
"""Seconds for each instance."""

QUICK: Final = {"uniform:2000:1": 1.0}
BOTH_CITIES: Final = 100_000
"""Number of cities that are searched both in islands and in regions: from here on regions may be the better
division."""


@dataclass
class ClusterOutcome:
    """What a run found, by its own clock, and what its workers took."""

    curve: list[tuple[float, float]]
    regions: bool = False
    megabytes: float = 0.0
    memory: float = 0.0

    @property
    def cost(self) -> float:
        """Cost at the end."""
        return self.curve[-1][1]


def run(options: Options) -> Iterator[Row]:
    """Yield the figures of each instance and number of workers."""
    cases = QUICK if options.quick else CASES
    if options.instances:
        cases = {name: next(iter(options.seconds), 60.0) for name in options.instances}
    threads = 1 if options.quick else THREADS
    for name, seconds in cases.items():
        problem = _problem(name)
        if problem is None:
            continue
        for workers in _numbers(1 if options.quick else usable_cores() // threads):
            yield from _rows(name, problem, workers, threads, seconds)


def _numbers(most: int) -> list[int]:
    return [count for count in (1, 2, 4, 8) if count <= max(2, most)]


def _rows(name: str, problem: TSP | VRP, workers: int, threads: int, seconds: float) -> Iterator[Row]:
    peer = None if workers == 1 else _gap(problem, _one_process(problem, workers * threads, seconds).cost)
    who = f"{name}, {workers} x {threads} threads"
    kinds: list[type[Islands | TourRegions] | None] = [None]
    if isinstance(problem, TSP) and problem.n == BOTH_CITIES and workers > 1:
        kinds = [Islands, TourRegions]
    for kind in kinds:
        together = _together(problem, workers, threads, seconds, kind)
        case = who if kind is None else f"{who}, {kind.name}"
        yield Row(SUITE, case, problem.n, "cpu", _gap(problem, together.cost), "% gap", peer=peer)
        yield Row(SUITE, f"{case}: to and from each", problem.n, "cpu", together.megabytes, "MB")
        if together.memory:
            yield Row(SUITE, f"{case}: memory of each", problem.n, "cpu", together.memory, "MB")
    if isinstance(problem, TSP) and name.startswith("uniform:") and workers > 1 and together.regions:
        alone = _alone(name, workers, threads, seconds)
        gained = _gained(problem, together.cost) / mean(_gained(part, outcome.cost) for part, outcome in alone)
        goal = _gap(problem, together.cost)
        took = mean(_first_at(part, outcome, goal, seconds) for part, outcome in alone)
        yield Row(SUITE, f"{who}: efficiency", problem.n, "cpu", 100 * gained, "% of gain", 100.0)
        yield Row(SUITE, f"{who}: time of one worker", problem.n, "cpu", 100 * took / seconds, "% of time", 100.0)


def _one_process(problem: TSP | VRP, threads: int, seconds: float) -> ClusterOutcome:
    outcome = ClusterOutcome([])
    default_strategy(problem).run(_search(problem, threads, seconds, outcome))
    return outcome


def _together(
    problem: TSP | VRP, workers: int, threads: int, seconds: float, kind: type[Islands | TourRegions] | None
) -> ClusterOutcome:
    outcome = ClusterOutcome([])
    strategy = default_strategy(problem)
    with open_cluster(f"local:{workers}", threads) as crew:
        search = _search(problem, threads, seconds, outcome)
        if kind is None:
            with divided(strategy, search, crew) as whole:
                whole.run(search)
        else:
            whole = kind(strategy, crew, threads=threads)
            whole.run(search)
        outcome.regions = isinstance(whole, TourRegions)
        phases = len(whole.phases) if isinstance(whole, TourRegions) else 1
        outcome.megabytes = sum(one.sent + one.received for one in crew.members) / 1e6 / workers / max(1, phases)
        outcome.memory = max(_memory(one.link) for one in crew.members)
    return outcome


def _memory(link: Link) -> float:
    """Return the largest memory of a process so far in megabytes; 0 where the system does not tell."""
    status = Path(f"/proc/{link.process.pid}/status") if isinstance(link, ProcessLink) else None
    if status is None or not status.exists():
        return 0.0
    return int(status.read_text().split("VmHWM:")[1].split()[0]) / 1e3


def _search(problem: TSP | VRP, threads: int, seconds: float, outcome: ClusterOutcome) -> Search[Any]:
    def hear(event: Event) -> None:
        if isinstance(event, Improved) and event.state.cost is not None:
            outcome.curve.append((event.state.seconds, event.state.cost))

    return Search(problem, Seconds(seconds), seed=1, threads=threads, listeners=[hear])


def _alone(name: str, workers: int, threads: int, seconds: float) -> list[tuple[TSP, ClusterOutcome]]:
    """Return what each of ``workers`` processes finds that share nothing, on as many parts of the cities."""
    _, cities, _ = name.split(":")
    cores = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
    with tempfile.TemporaryDirectory() as folder:
        names = [f"uniform:{int(cities) // workers}:{seed}" for seed in range(1, workers + 1)]
        runs = []
        for rank, part in enumerate(names):
            own = cores[rank * threads % max(1, len(cores)) :][:threads]
            command = program(
                "solve", part, "--seconds", str(seconds), "--threads", str(threads), "--device", "cpu", "--quiet",
                "--trace", str(Path(folder, f"{rank}.jsonl")),
            )  # fmt: skip
            runs.append(subprocess.Popen(command, preexec_fn=_bound_to(own)))
        for process in runs:
            process.wait()
        return [(_uniform(part), _read_trace(Path(folder, f"{rank}.jsonl"))) for rank, part in enumerate(names)]


def _bound_to(cores: list[int]) -> Any:
    return (lambda: os.sched_setaffinity(0, cores)) if cores and hasattr(os, "sched_setaffinity") else None


def _read_trace(path: Path) -> ClusterOutcome:
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    return ClusterOutcome([(line["t"], line["cost"]) for line in lines if line.get("cost") is not None])


def _first_at(problem: TSP, outcome: ClusterOutcome, goal: float, seconds: float) -> float:
    """Return when a run reached a gap; the time limit if it did not."""
    return next((at for at, cost in outcome.curve if gap(problem, cost) <= goal), seconds)


def _gained(problem: TSP, cost: float) -> float:
    """Return what was gained from the tour along a space-filling curve, in percent of the shortest."""
    return gap(problem, problem.cost(start(problem, "curve"))) - gap(problem, cost)


def _gap(problem: TSP | VRP, cost: float) -> float:
    if isinstance(problem, TSP):
        return gap(problem, cost)
    return 100 * (cost / problem.best_known - 1) if problem.best_known else cost


def _uniform(name: str) -> TSP:
    problem = read(name)
    assert isinstance(problem, TSP)
    return problem


def _problem(name: str) -> TSP | VRP | None:
    """Return an instance from its specification or path, or a vehicle problem of the folder ``WARPTOUR_DATA``."""
    if ":" in name or Path(name).suffix:
        return read(name)
    found = sorted(Path(os.environ.get("WARPTOUR_DATA", ".")).glob(f"**/{name}.vrp"))
    return read(found[0]) if found else None
