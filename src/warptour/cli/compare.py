"""``warptour compare``: strategies and other programs side by side, at equal CPU time."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final, TypeVar

from warptour.api.arguments import thread_count
from warptour.bench.conditions import conditions
from warptour.cli.declare import Context
from warptour.cli.failure import complain
from warptour.cli.options import Json, read_given
from warptour.cli.output import check_writable, interruptible
from warptour.cli.show import print_json
from warptour.compare.peers.registry import PEERS, find_peers
from warptour.compare.plan import ComparisonPlan
from warptour.compare.plot import write_plot
from warptour.compare.report import ComparisonReport, csv_text, json_text, markdown, table
from warptour.compare.run import JudgedRun
from warptour.devices import Device
from warptour.io.files import write_atomic
from warptour.io.read import with_best
from warptour.io.reading import ReadOptions
from warptour.kernels.cores import MAX_THREADS
from warptour.model.errors import InputError, UsageError
from warptour.model.option import Argument, Option
from warptour.model.problem import TSP
from warptour.model.vehicles import VRP
from warptour.observe import canvas
from warptour.observe.interrupt import Interrupt, Interrupted
from warptour.observe.progress import format_cost
from warptour.search.stop import Seconds
from warptour.strategies.registry import known_strategy
from warptour.strategies.self_check import sound_device

T = TypeVar("T")

TEXTS: Final[Mapping[str, Callable[[ComparisonReport], str]]] = {".csv": csv_text, ".json": json_text, ".md": markdown}
"""Writers of the output files that are text, by suffix."""
UNSAID: Final = ("output", "as_json", "quiet")
"""Options left out of the recorded command line: they do not affect what is measured."""


@dataclass(frozen=True)
class ComparisonChoices:
    """What is compared, and for how long."""

    strategies: Annotated[
        list[str] | None, Option("Strategies; by default the one that solve chooses.", metavar="NAME,...")
    ] = None
    peer: Annotated[
        list[str] | None,
        Option(
            f"Another program, on the PATH or by COMMAND; may be repeated. Known: "
            f"{', '.join(each.name for each in PEERS)}; others by a command with {{file}}, {{output}}, {{seconds}}, "
            f"{{seed}}, {{threads}}.",
            metavar="NAME[=COMMAND]",
        ),
    ] = None
    seconds: Annotated[
        list[float] | None, Option("Time limit, 10 by default; may be repeated, each with runs of its own.")
    ] = None
    seeds: Annotated[int, Option("Runs of each, with the seeds 1, 2 and so on.", low=1)] = 3
    threads: Annotated[
        int | None,
        Option(
            "Of warptour, by default all; a program with one thread has as many times the seconds.",
            low=1,
            high=MAX_THREADS,
        ),
    ] = None
    device: Annotated[list[str] | None, Option("auto, cpu, cuda:N or opencl:N; may be repeated.")] = None
    by_wall: Annotated[
        bool, Option("Limit warptour by wall time, not by CPU time; so it is on a GPU, too.", "--wall")
    ] = False
    grace: Annotated[float, Option("Seconds past its limit after which another program is killed.", low=0)] = 60.0
    best: Annotated[
        str | None, Option("Table of best known costs: name, best. [best.csv beside a file]", metavar="FILE")
    ] = None


def compare(
    context: Context,
    files: Annotated[list[str], Argument("Problems: files, or words as uniform:N:SEED.", "FILE...")],
    choices: ComparisonChoices,
    given: ReadOptions,
    output: Annotated[
        list[str] | None,
        Option(
            "Write .csv (runs), .json (all), .md (table) or a plot of gap over time: .png, .svg, .pdf.",
            "--output -o",
            metavar="FILE",
        ),
    ] = None,
    as_json: Json = False,
    quiet: Annotated[bool, Option("No line for each run.", "--quiet -q")] = False,
) -> int:
    """Compare strategies and other programs on FILE..., each at equal CPU time."""
    outputs = output or []
    for path in outputs:
        check_writable(path, "--output", (*TEXTS, *canvas.SUFFIXES))
        if Path(path).suffix.lower() not in TEXTS:
            canvas.library()
    plan, device = _planned(files, choices, given)
    known = conditions(device, context.line(*UNSAID))
    report = ComparisonReport(
        plan.problems, known, plan.threads, plan.by_cpu, {each.name: each.about() for each in plan.peers}, []
    )
    if not as_json:
        _show_head(report, plan)
    _measure(report, plan, context.interrupt, quiet=quiet, tables=not as_json)
    context.interrupt.action = lambda: None  # the rest is quick
    for path in outputs:
        text = TEXTS.get(Path(path).suffix.lower())
        with interruptible(path, context.interrupt):
            if text is None:
                write_plot(path, report)
            else:
                write_atomic(path, [text(report).encode()])
    if as_json:
        print_json(report.facts())
    elif outputs:
        print(f"\nwritten: {', '.join(outputs)}")
    return 0 if any(run.cost is not None for run in report.runs) else 1


def _limits(choices: ComparisonChoices) -> list[float]:
    """Return the time limits, shortest first."""
    limits = sorted(_once("--seconds", choices.seconds or [10.0]))
    if not 0 < limits[0] <= limits[-1] < math.inf:
        raise UsageError("--seconds is above 0")
    return limits


def _planned(files: list[str], choices: ComparisonChoices, given: ReadOptions) -> tuple[ComparisonPlan, Device]:
    """Return the plan of the runs, and the first device."""
    limits, peers = _limits(choices), find_peers(choices.peer or [])
    places = _once("--device", choices.device or ["auto"])
    used = [sound_device(place, choices.threads)[0] for place in places]
    plan = ComparisonPlan(
        _read(files, choices.best, given),
        _strategies(choices.strategies or []),
        peers,
        places,
        limits,
        choices.seeds,
        thread_count(choices.threads, Seconds(limits[-1])),
        not choices.by_wall and all(place.about().kind == "cpu" for place in used),
        choices.grace,
    )
    return plan, used[0]


def _once(option: str, values: list[T]) -> list[T]:
    """Return ``values``; raise UsageError if one is among them twice, whose runs would count twice."""
    twice = next((value for place, value in enumerate(values) if value in values[:place]), None)
    if twice is not None:
        raise UsageError(f"{option} {twice} is given twice")
    return values


def _strategies(texts: list[str]) -> list[str | None]:
    """Return the strategies in texts such as ``windows,ils``; without any, what ``solve`` chooses."""
    names = _once("--strategies", [word.strip() for text in texts for word in text.split(",") if word.strip()])
    for name in names:
        known_strategy(name)
    return [*names] or [None]


def _read(files: list[str], best: str | None, given: ReadOptions) -> dict[str, TSP | VRP]:
    """Return the problems by their names, or by their files where two have the same name."""
    if best is not None and not Path(best).is_file():
        raise InputError("no such file", best)
    problems: dict[str, TSP | VRP] = {}
    for file in dict.fromkeys(files):
        problem = read_given(file, given)
        if best is not None:
            problem = with_best(problem, file, best, original=given.rounding is None)
        problems[file if problem.name in problems else problem.name] = problem
    return problems


def _measure(
    report: ComparisonReport, plan: ComparisonPlan, interrupt: Interrupt, *, quiet: bool, tables: bool
) -> None:
    """Make all runs; print each problem's table once it is complete, or when runs are interrupted."""
    shown = ""
    try:
        for run in plan.runs(interrupt):
            if run.instance != shown and shown and tables:
                print(f"\n{table(report, shown)}", flush=True)
            shown = run.instance
            report.runs.append(run)
            if not quiet:
                complain(_progress(run))
    except Interrupted:
        report.interrupted = True
        complain("warptour: interrupted; this is what was measured until here")
    if shown and tables:
        print(f"\n{table(report, shown)}", flush=True)


def _progress(run: JudgedRun) -> str:
    found = run.note or "no answer" if run.cost is None else format_cost(run.cost)
    cpu = "" if run.cpu is None else f", {run.cpu:.1f} s CPU"
    return f"{run.instance}: {run.solver}, {run.limit}, seed {run.seed}: {found} ({run.wall:.1f} s{cpu})"


def _show_head(report: ComparisonReport, plan: ComparisonPlan) -> None:
    at = report.conditions
    print(f"{at.date}; {at.device}; {at.version}\n{at.command}")
    seeds = f"{plan.seeds} seed{'s' if plan.seeds > 1 else ''}"
    print(f"medians and spread of {seeds}; warptour with {plan.threads} thread{'s' if plan.threads > 1 else ''}")
    for name, facts in report.peers.items():
        version = f" {facts['version']}" if facts["version"] else ""
        print(f"{name}{version}, {facts['command']}: limited by {facts['clock']}")
