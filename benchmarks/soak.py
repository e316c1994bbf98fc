"""Hours of mixed solves in one process or one service: every answer is checked, memory and descriptors must not grow.

    python benchmarks/soak.py [--service] [--minutes 360] [--rows 12] [--threads 2] [--seed 1]

Problems of every kind are drawn in turn: tours, paths, matrices that differ there and back, vehicles, hours, time
windows and fleets, of random sizes; now and then a lower bound, and a search that a listener ends or that continues
from a checkpoint. Each answer is written to a file, read back and checked, and its cost must be the one that was
reported. With ``--service`` they are problems in VROOM's JSON, sent to ``warptour serve`` one after the other by every
way to ask; some are stopped, forgotten, or wrong. The table has a row for each part of the time; the program fails if
an answer is wrong, if descriptors or threads are left, or if resident memory grows by more than `GROWTH` of itself from
the first third of the rows, in which caches fill, to the last.
"""

from __future__ import annotations

import argparse
import ctypes
import gc
import http.client
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import warptour as wt
from warptour.observe.child import program

GROWTH = 0.02
"""Share of resident memory by which the median of the last third of the rows may exceed that of the first."""

SOLVE_SECONDS = (0.05, 1.0)
"""Shortest and longest limit of a solve."""

DATA = Path(wt.__file__).parent / "data"


class Row(NamedTuple):
    """What was seen at the end of a part of the time; memory in megabytes."""

    minutes: float
    solves: int
    resident: float
    descriptors: int
    threads: int

    def line(self) -> str:
        """Return the row as Markdown."""
        return f"| {self.minutes:.1f} | {self.solves:,} | {self.resident:.0f} | {self.descriptors} | {self.threads} |"


def problem(kind: str, draw: random.Random) -> wt.TSP | wt.VRP:
    """Return a random problem of a kind."""
    size, seed = draw.randint(12, 2000), draw.randrange(2**31)
    rng = np.random.default_rng(seed)
    if kind == "matrix":
        return wt.TSP.from_matrix(rng.integers(1, 10_000, (size // 8 + 5, size // 8 + 5)))
    if kind == "path":
        return wt.TSP("path", wt.METRICS["EUCLIDEAN"], rng.random((size, 2)), open=True, first=0)
    if kind == "hours":
        return wt.read(DATA / "deliveries.csv", capacity=1200, vehicles=5, speed=30, max_hours=8, depart="08:00")
    if kind == "fleet":
        return wt.read(DATA / "deliveries.csv", fleet=DATA / "fleet.csv", speed=30)
    return wt.generate(kind, size // 4 + 5 if kind in {"vrp", "windows"} else size, seed)


KINDS = ("uniform", "clustered", "path", "matrix", "vrp", "hours", "windows", "fleet")


def solve(kind: str, draw: random.Random, threads: int, folder: Path) -> None:
    """Solve one problem in one of several ways; raise `AssertionError` if the answer is wrong."""
    drawn = problem(kind, draw)
    lowest = 0.0
    if isinstance(drawn, wt.TSP) and draw.random() < 0.1:
        lowest = wt.bound(drawn, seconds=0.2, threads=threads).lower_bound
    seconds = draw.uniform(*SOLVE_SECONDS)
    listener: Callable[[float, object], bool] | None = (lambda *_: False) if draw.random() < 0.1 else None
    kept = folder / "kept.npz"
    keeps = draw.random() < 0.3
    seed = draw.randrange(2**31)
    try:
        result = wt.solve(
            drawn,
            seconds=seconds,
            threads=threads,
            seed=seed,
            on_improvement=listener,
            checkpoint=kept if keeps else None,
            trace=folder / "trace.jsonl" if keeps else None,
        )
    except wt.NothingFound:  # a busy machine may leave nothing of the limit
        assert kind in {"hours", "windows", "fleet"}
        return
    if keeps and draw.random() < 0.5:
        again = wt.solve(drawn, seconds=seconds, threads=threads, seed=seed, resume=kept)
        assert again.cost <= result.cost, f"{kind}: {again.cost} after {result.cost} was resumed"
        result = again
    path = folder / ("best.tour" if isinstance(drawn, wt.TSP) else "best.sol")
    wt.write(path, drawn, result.solution)
    report = wt.check(drawn, path)
    assert report.feasible, f"{kind}, seed {seed}: {report.violations}"
    assert report.cost == result.cost, f"{kind}, seed {seed}: {result.cost} was reported, the file has {report.cost}"
    assert report.cost >= lowest, f"{kind}, seed {seed}: {report.cost} is below the bound {lowest}"


def request(draw: random.Random) -> dict[str, Any]:
    """Return a random problem in VROOM's JSON: jobs and shipments, some with hours, and ten vehicles."""
    stops = draw.randint(5, 150)
    rng = np.random.default_rng(draw.randrange(2**31))
    points = rng.integers(0, 3000, (stops + 1, 2))
    durations = np.rint(np.hypot(*(points[:, None] - points[None]).transpose(2, 0, 1))).astype(int)
    jobs: list[dict[str, Any]] = [{"id": at, "location_index": at, "delivery": [1]} for at in range(1, stops + 1)]
    if draw.random() < 0.5:
        for job in jobs[:: draw.randint(1, 4)]:
            opens = draw.randint(0, 20_000)
            job["time_windows"] = [[opens, opens + draw.randint(600, 20_000)]]
    paired = draw.choice((0, 0, stops // 6))
    ends = [{"id": job["id"], "location_index": job["location_index"]} for job in jobs[: 2 * paired]]
    return {
        "vehicles": [{"id": at, "start_index": 0, "end_index": 0, "capacity": [stops // 8 + 1]} for at in range(10)],
        "jobs": jobs[2 * paired :],
        "shipments": [{"amount": [1], "pickup": a, "delivery": b} for a, b in zip(ends[::2], ends[1::2], strict=True)],
        "matrices": {"car": {"durations": durations.tolist()}},
    }


class Client:
    """Asks a service on this machine."""

    def __init__(self, port: int) -> None:
        self._port = port

    def __call__(self, method: str, path: str, body: bytes | None = None, **headers: str) -> tuple[int, bytes]:
        """Return the status and body of an answer."""
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=600)
        try:
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()

    def solve(self, kind: str, draw: random.Random, folder: Path) -> None:
        """Send one problem in a way; raise `AssertionError` if the answer is wrong."""
        drawn, query = request(draw), f"?seconds={draw.uniform(*SOLVE_SECONDS):.2f}&seed={draw.randrange(2**31)}"
        given = folder / "request.json"
        given.write_text(json.dumps(drawn))
        if kind == "wrong":
            drawn["jobs"][0]["location_index"] = -1
        body = json.dumps(drawn).encode()
        if kind in {"at once", "wrong"}:
            status, answer = self("POST", f"/{query}", body)
        else:
            status, answer = self._as_job(kind, query, body)
        expected = {"wrong": {400}, "forgotten": {404}, "stopped": {200, 409}}  # 409: before there was a first solution
        assert status in expected.get(kind, {200}), f"{kind}: {status} {answer[:200]!r}"
        if status == 200:
            found = folder / "answer.json"
            found.write_bytes(answer)
            report = wt.check(wt.read(given), found)
            assert report.feasible, f"{kind}: {report.violations}"

    def _as_job(self, kind: str, query: str, body: bytes) -> tuple[int, bytes]:
        """Return the answer to ``POST /jobs``."""
        status, accepted = self("POST", f"/jobs{query}", body)
        assert status == 202, f"{kind}: {status} {accepted[:200]!r}"
        path = f"/jobs/{json.loads(accepted)['id']}"
        if kind == "stopped":
            time.sleep(0.5)
            self("POST", f"{path}/stop")
        if kind == "forgotten":
            self("DELETE", path)
        if kind == "events":
            self("GET", path, accept="text/event-stream")
        while json.loads(self("GET", path)[1]).get("state") in {"waiting", "running"}:
            time.sleep(0.05)
        return self("GET", f"{path}/answer")


WAYS = ("at once", "job", "events", "stopped", "forgotten", "wrong")


@contextmanager
def service(folder: Path) -> Iterator[tuple[int, Client]]:
    """Run a service; yield its process id and a client."""
    words = ("--port", "0", "--jobs", "1", "--keep", "100", "--folder", str(folder / "jobs"))
    with subprocess.Popen(program("serve", *words), stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield process.pid, Client(int(process.stdout.readline().split()[0].rpartition(":")[2]))
        finally:
            process.terminate()
        assert process.wait() == 143, "the service did not end well"  # as after any SIGTERM


def seen(minutes: float, solves: int, process: int) -> Row:
    """Return what a process holds; this one first gives back what its allocators keep for later."""
    if process == os.getpid():
        gc.collect()
        with suppress(OSError, AttributeError):  # not every C library has it
            ctypes.CDLL(None).malloc_trim(0)
    of = Path("/proc", str(process))
    resident = int((of / "statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6
    return Row(minutes, solves, resident, len(os.listdir(of / "fd")), len(os.listdir(of / "task")))


def faults(rows: list[Row]) -> list[str]:
    """Return what was left behind, or grew."""
    third = max(1, len(rows) // 3)
    settled, last = rows[:third], rows[-third:]
    found = []
    for name in ("descriptors", "threads"):  # a request may be open at the moment of a row
        before, after = max(getattr(row, name) for row in settled), min(getattr(row, name) for row in last)
        if after > before:
            found.append(f"{name} grew from {before} to {after}")
    before, after = (statistics.median(row.resident for row in part) for part in (settled, last))
    if after > before * (1 + GROWTH):
        found.append(f"resident memory grew from {before:.0f} to {after:.0f} MB")
    return found


def soak(each: Callable[[int], None], process: int, minutes: float, count: int) -> list[Row]:
    """Call ``each`` with 0, 1, ... for so long; print and return what the process holds, ``count`` times."""
    print("| minutes | solves | resident, MB | descriptors | threads |\n|--:|--:|--:|--:|--:|", flush=True)
    rows: list[Row] = []
    begin, solves = time.monotonic(), 0
    while len(rows) < count:
        each(solves)
        solves += 1
        passed = (time.monotonic() - begin) / 60
        if passed >= minutes * (len(rows) + 1) / count:
            rows.append(seen(passed, solves, process))
            print(rows[-1].line(), flush=True)
    return rows


def main() -> int:
    """Solve until the time is over; return 0 if nothing was wrong."""
    words = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    words.add_argument("--service", action="store_true", help="let a service solve, one job at a time")
    words.add_argument("--minutes", type=float, default=360.0)
    words.add_argument("--rows", type=int, default=12, help="rows of the table")
    words.add_argument("--threads", type=int, default=2, help="threads of a solve in this process")
    words.add_argument("--seed", type=int, default=1)
    options = words.parse_args()
    draw, time_and_rows = random.Random(options.seed), (options.minutes, options.rows)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if options.service:
            with service(folder) as (process, client):
                rows = soak(lambda at: client.solve(WAYS[at % len(WAYS)], draw, folder), process, *time_and_rows)
        else:
            rows = soak(
                lambda at: solve(KINDS[at % len(KINDS)], draw, options.threads, folder), os.getpid(), *time_and_rows
            )
    found = faults(rows)
    print("\n".join(found) if found else f"\n{rows[-1].solves:,} answers were checked, nothing grew")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
