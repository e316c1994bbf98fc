"""The slides "Inter-device cooperation" and "Results": iterated local search on several devices and ranks of MPI.

All run one chain (``ils`` with ``repair=all`` and ``chains=1``) from the same greedy tour. Several devices or ranks
share the scans of each step, as in the slides.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from warptour import api
from warptour.bench import Options, Row
from warptour.devices import find_several, present
from warptour.io.read import read
from warptour.kernels.groups import usable_threads
from warptour.model.errors import UnsupportedError
from warptour.model.problem import TSP
from warptour.observe.events import Event, Improved
from warptour.papers.exhibit import Exhibit, Lines, Plot, series
from warptour.papers.rocki.strategy.ils import IteratedLocalSearch
from warptour.papers.scans.rows import on, share_cores
from warptour.papers.scans.suites.shared import moves_per_second
from warptour.strategies.self_check import self_check

CITIES: Final = {False: 20_000, True: 1000}
SECONDS: Final = {False: 20.0, True: 0.8}
"""Cities, and seconds of a run; in full and with ``--quick``."""

PARTS: Final = (1 / 16, 1 / 8, 1 / 4, 1 / 2, 1.0)
"""Shares of the seconds after which the tour is looked at."""

RANKS: Final = (1, 2, 4)
PATIENCE: Final = 120.0
"""Seconds that a job of MPI may take beyond its search."""


@dataclass(frozen=True)
class TimedRun:
    """A run: seconds and length of each improvement, moves evaluated in scans and kicks in all, and its seconds."""

    lengths: list[tuple[float, float]]
    moves: int
    kicks: int
    seconds: float

    def length_at(self, seconds: float) -> float:
        """Return the length of the tour after so many seconds; of the first tour before there was one."""
        return min((length for at, length in self.lengths if at <= seconds), default=self.lengths[0][1])


def on_devices(word: str, devices: str, seconds: float, threads: int) -> TimedRun:
    """Return the course of a search of this process on ``devices``."""
    lengths: list[tuple[float, float]] = []

    def listen(event: Event) -> None:
        if isinstance(event, Improved) and event.state.cost is not None:
            lengths.append((event.state.seconds, float(event.state.cost)))

    strategy = IteratedLocalSearch(repair="all", chains=1)
    result = api.solve(
        read(word), strategy, seconds=seconds, seed=1, device=devices, threads=threads, listeners=[listen]
    )
    return TimedRun(lengths, result.moves or 0, result.iterations, result.seconds)


def on_ranks(word: str, ranks: int, seconds: float, launcher: str) -> TimedRun:
    """Return the course of the same search by the ranks of an MPI job, one core each."""
    with TemporaryDirectory() as folder:
        trace = Path(folder, "trace.jsonl")
        command = [
            launcher, "-n", str(ranks), sys.executable, "-m", "warptour", "solve", word, "--strategy", "ils",
            "--set", "repair=all", "--set", "chains=1", "--seconds", str(seconds), "--seed", "1", "--device", "cpu",
            "--threads", "1", "--cluster", "mpi", "--trace", str(trace), "--json", "--quiet",
        ]  # fmt: skip
        places = os.pathsep.join(place or "." for place in sys.path)
        environment = os.environ | {"PYTHONPATH": places} | OPEN_MPI
        try:
            done = subprocess.run(
                command, env=environment, capture_output=True, text=True, check=False, timeout=seconds + PATIENCE
            )
        except subprocess.TimeoutExpired:
            raise UnsupportedError(f"{launcher} -n {ranks} did not end in {seconds + PATIENCE:.0f} s") from None
        if done.returncode != 0:
            last = (done.stderr.strip().splitlines() or ["it says nothing"])[-1]
            raise UnsupportedError(f"{launcher} -n {ranks} failed: {last}")
        result = json.loads(done.stdout)
        events = [json.loads(line) for line in trace.read_text(encoding="utf-8").splitlines()]
    lengths = [(event["t"], float(event["cost"])) for event in events if event["event"] == "improvement"]
    return TimedRun(lengths, result["moves"] or 0, result["iterations"], result["seconds"])


OPEN_MPI: Final = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe",
}
"""Lets Open MPI run as root and with more ranks than cores; others ignore it."""


def launcher_of_mpi() -> str:
    """Return the program that starts ranks. Raises :class:`UnsupportedError` if there is none, or no mpi4py."""
    places = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}"
    found = shutil.which("mpiexec", path=places)
    if found is None or find_spec("mpi4py") is None:
        raise UnsupportedError("this needs mpiexec and mpi4py: pip install mpich mpi4py")
    return found


@dataclass(frozen=True)
class Setup:
    """Devices that work together: their name in rows, what ``--device`` takes, the threads, and their parts."""

    name: str
    devices: str
    threads: int
    alone: tuple[str, ...] = ()


def setups(options: Options) -> list[Setup]:
    """Return the CPU with a part of the cores, with both parts, and what there is of other devices."""
    cores = usable_threads(options.threads)
    half = max(1, cores // 2)
    each = f"{half} core" + ("s" if half > 1 else "")
    one = Setup(f"cpu, {each}", "cpu", half)
    found = [one, Setup(f"cpu,cpu, {each} each", "cpu,cpu", 2 * half, (one.name, one.name))]
    every = Setup(f"cpu, {cores} cores", "cpu", cores)
    others = [device for device in present(cores)[0][1:] if self_check(device) is None]
    if options.device not in ("auto", "cpu"):
        others = [device for device in others if device.name.startswith(options.device)]
    elif options.device == "cpu":
        others = []
    if others and cores > half:
        found.append(every)
    for device in others:
        found.append(Setup(device.name, device.name, cores))
        if device.about().kind == "gpu":
            beside = every if cores > half else one
            together = f"{device.name},cpu"
            found.append(Setup(f"{together}, {cores} cores", together, cores, (device.name, beside.name)))
    return found


def together(options: Options) -> Iterator[Row]:
    """Yield what each device and set of devices reaches."""
    word, seconds = _task(options)
    rates: dict[str, float] = {}
    brute: dict[str, float] = {}
    for setup in setups(options):
        course = on_devices(word, setup.devices, seconds, setup.threads)
        alone = sum(rates[part] for part in setup.alone)
        rates[setup.name] = course.moves / course.seconds
        yield from _rows(setup.name, setup.devices, options, course)
        first = next(iter(rates.values()))
        n = CITIES[options.quick]
        yield Row("rocki", f"{setup.name}: speed-up", n, setup.devices, rates[setup.name] / first, "times")
        if alone:
            yield Row("rocki", f"{setup.name}: efficiency", n, setup.devices, 100 * rates[setup.name] / alone, "%")
        brute[setup.name] = all_moves(word, setup)
        alone = sum(brute[part] for part in setup.alone)
        case = f"{setup.name}: all moves, none left out"
        yield Row("rocki", case, n, setup.devices, brute[setup.name] / 1e9, "Gmoves/s")
        if alone:
            percent = 100 * brute[setup.name] / alone
            yield Row("rocki", f"{setup.name}: efficiency, all moves", n, setup.devices, percent, "%")


def all_moves(word: str, setup: Setup) -> float:
    """Return moves per second of passes that evaluate all moves of the first tour."""
    problem = read(word)
    assert isinstance(problem, TSP)
    devices = find_several(setup.devices, setup.threads)
    share_cores(devices, setup.threads)
    return moves_per_second(problem, [on(device) for device in devices])


def by_ranks(options: Options) -> Iterator[Row]:
    """Yield what 1, 2 and 4 ranks of one core reach."""
    launcher = launcher_of_mpi()
    word, seconds = _task(options)
    rates: dict[int, float] = {}
    for ranks in RANKS:
        course = on_ranks(word, ranks, seconds, launcher)
        name, n = f"mpiexec -n {ranks}", CITIES[options.quick]
        rates[ranks] = course.moves / course.seconds
        yield from _rows(name, "cpu", options, course)
        speed_up = rates[ranks] / rates[RANKS[0]] if rates[RANKS[0]] else float("nan")
        yield Row("rocki", f"{name}: speed-up", n, "cpu", speed_up, "times")
        yield Row("rocki", f"{name}: efficiency", n, "cpu", 100 * speed_up / ranks, "%")


def _task(options: Options) -> tuple[str, float]:
    return f"uniform:{CITIES[options.quick]}:1", SECONDS[options.quick]


def _rows(name: str, device: str, options: Options, course: TimedRun) -> Iterator[Row]:
    n = CITIES[options.quick]
    for part in PARTS:
        at = part * SECONDS[options.quick]
        yield Row("rocki", f"{name}: length after {at:g} s", n, device, course.length_at(at), "length")
    yield Row("rocki", f"{name}: kicks", n, device, course.kicks / course.seconds, "kicks/s")
    yield Row("rocki", f"{name}: moves in scans", n, device, course.moves / course.seconds / 1e9, "Gmoves/s")


def over_time(rows: list[Row]) -> Lines:
    """Return the length over time of each set."""
    cases = ((row, row.case.split(": ", 1)) for row in rows if row.unit == "length")
    return series((name, float(what.split()[2]), row.value) for row, (name, what) in cases)


def _plot(name: str, title: str) -> Plot:
    return Plot(name, "seconds", "length of the tour", title, over_time, log_x=True)


PROGRAM: Final = (
    "The slides' curves have no figures and no instance: cities are uniform. One chain from a greedy tour, every kick "
    "repaired by the best of all 2-opt moves; moves are those that the scans decide on, most of them by a bound. "
    "Speed-up is that of moves per second over the first line"
)

TOGETHER: Final = Exhibit(
    "cooperation",
    "Inter-device cooperation: length over time by device and by several devices, with speed-up and efficiency",
    f"{PROGRAM}; efficiency is the rate of several over the sum of theirs alone. Beside it are passes that evaluate "
    "all moves, as in the slides, which leave more to share. An OpenCL device that is the CPU has the cores of cpu.",
    together,
    (_plot("rocki_cooperation", "Iterated local search on several devices"),),
)
BY_RANKS: Final = Exhibit(
    "ranks",
    "MPI between the nodes: length over time by 1, 2 and 4 ranks, with speed-up and efficiency",
    f"{PROGRAM}, and efficiency its share of the number of ranks. All ranks are on this machine, with one core each; "
    "more ranks than cores share them.",
    by_ranks,
    (_plot("rocki_ranks", "Iterated local search by ranks of MPI"),),
)
