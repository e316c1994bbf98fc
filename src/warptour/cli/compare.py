"""``warptour compare``: strategies and other programs side by side, at equal CPU time."""

from __future__ import annotations

import math
import shlex
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any, Final, TypeVar

import typer

from warptour import api
from warptour.api.arguments import thread_count
from warptour.bench.conditions import conditions
from warptour.cli.failure import complain
from warptour.cli.options import Capacity, Decimal, Ignore, Json, LatLon, MaxDistance, Rounding, Vehicles, notes
from warptour.cli.output import check_writable, interruptible
from warptour.cli.show import print_json
from warptour.compare.peers.registry import PEERS, find_peers
from warptour.compare.plan import Plan
from warptour.compare.plot import write_plot
from warptour.compare.report import Report, csv_text, json_text, markdown, table
from warptour.compare.run import Run
from warptour.io.files import write_atomic
from warptour.io.options import ignored_names
from warptour.io.read import with_best
from warptour.kernels.cores import MAX_THREADS
from warptour.model.errors import InputError, UsageError
from warptour.model.problem import TSP
from warptour.model.vehicles import VRP
from warptour.observe import canvas
from warptour.observe.interrupt import Interrupt, Interrupted
from warptour.observe.progress import format_cost
from warptour.search.stop import Seconds
from warptour.strategies.registry import STRATEGIES
from warptour.strategies.self_check import sound_device

T = TypeVar("T")

TEXTS: Final[Mapping[str, Callable[[Report], str]]] = {".csv": csv_text, ".json": json_text, ".md": markdown}
"""Writers of files that are no pictures."""
UNSAID: Final = ("output", "as_json", "quiet")
"""Options that change nothing of what is measured."""


def compare(
    context: typer.Context,
    files: Annotated[list[str], typer.Argument(metavar="FILE...", help="Problems: files, or words as uniform:N:SEED.")],
    strategies: Annotated[
        list[str] | None,
        typer.Option("--strategies", metavar="NAME,...", help="Strategies; by default the one that solve chooses."),
    ] = None,
    peer: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME[=COMMAND]",
            help=f"Another program, on the PATH or by COMMAND; may be repeated. Known: "
            f"{', '.join(each.name for each in PEERS)}; others by a command with {{file}}, {{output}}, {{seconds}}, "
            f"{{seed}}, {{threads}}.",
        ),
    ] = None,
    seconds: Annotated[
        list[float] | None, typer.Option(help="Time limit, 10 by default; may be repeated, each with runs of its own.")
    ] = None,
    seeds: Annotated[int, typer.Option(min=1, help="Runs of each, with the seeds 1, 2 and so on.")] = 3,
    threads: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=MAX_THREADS,
            help="Of warptour, by default all; a program with one thread has as many times the seconds.",
        ),
    ] = None,
    device: Annotated[list[str] | None, typer.Option(help="auto, cpu, cuda:N or opencl:N; may be repeated.")] = None,
    by_wall: Annotated[
        bool, typer.Option("--wall", help="Limit warptour by wall time, not by CPU time; so it is on a GPU, too.")
    ] = False,
    grace: Annotated[
        float, typer.Option(min=0.0, help="Seconds past its limit after which another program is killed.")
    ] = 60.0,
    best: Annotated[
        str | None, typer.Option(metavar="FILE", help="Table of best known costs: name, best. [best.csv beside a file]")
    ] = None,
    rounding: Rounding = None,
    latlon: LatLon = None,
    capacity: Capacity = None,
    max_distance: MaxDistance = None,
    vehicles: Vehicles = None,
    ignore: Ignore = None,
    decimal: Decimal = None,
    output: Annotated[
        list[str] | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="Write .csv (runs), .json (all), .md (table) or a plot of gap over time: .png, .svg, .pdf.",
        ),
    ] = None,
    as_json: Json = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No line for each run.")] = False,
) -> int:
    """Compare strategies and other programs on FILE..., each at equal CPU time."""
    limits = sorted(_once("--seconds", seconds or [10.0]))
    if not 0 < limits[0] <= limits[-1] < math.inf:
        raise UsageError("--seconds is above 0")
    outputs = output or []
    for path in outputs:
        check_writable(path, "--output", (*TEXTS, *canvas.SUFFIXES))
        if Path(path).suffix.lower() not in TEXTS:
            canvas.library()
    peers = find_peers(peer or [])
    places = _once("--device", device or ["auto"])
    used = [sound_device(place, threads)[0] for place in places]
    limits_on_routes = {"capacity": capacity, "max_distance": max_distance, "vehicles": vehicles}
    sheets = {"ignore": ignored_names(ignore or []), "decimal": decimal}
    with notes():
        problems = _read(files, best, rounding=rounding, latlon=latlon, **limits_on_routes, **sheets)
    plan = Plan(
        problems,
        _strategies(strategies or []),
        peers,
        places,
        limits,
        seeds,
        thread_count(threads, Seconds(limits[-1])),
        not by_wall and all(place.about().kind == "cpu" for place in used),
        grace,
    )
    known = conditions(used[0], _command(context))
    report = Report(problems, known, plan.threads, plan.by_cpu, {each.name: each.about() for each in peers}, [])
    interrupt = context.obj if isinstance(context.obj, Interrupt) else None
    if not as_json:
        _show_head(report, plan)
    _measure(report, plan, interrupt, quiet=quiet, tables=not as_json)
    if interrupt is not None:
        interrupt.action = lambda: None  # the rest is quick
    for path in outputs:
        text = TEXTS.get(Path(path).suffix.lower())
        with interruptible(path, interrupt):
            if text is None:
                write_plot(path, report)
            else:
                write_atomic(path, [text(report).encode()])
    if as_json:
        print_json(report.facts())
    elif outputs:
        print(f"\nwritten: {', '.join(outputs)}")
    return 0 if any(run.cost is not None for run in report.runs) else 1


def _once(option: str, values: list[T]) -> list[T]:
    """Return ``values``; raise UsageError if one is among them twice, whose runs would count twice."""
    twice = next((value for place, value in enumerate(values) if value in values[:place]), None)
    if twice is not None:
        raise UsageError(f"{option} {twice} is given twice")
    return values


def _strategies(texts: list[str]) -> list[str | None]:
    """Return the strategies in texts such as ``windows,ils``; without any, what ``solve`` chooses."""
    names = _once("--strategies", [word.strip() for text in texts for word in text.split(",") if word.strip()])
    unknown = next((name for name in names if name not in STRATEGIES), None)
    if unknown is not None:
        raise UsageError(f"unknown strategy {unknown!r}; there are {', '.join(STRATEGIES)}")
    return [*names] or [None]


def _read(files: list[str], best: str | None, **options: Any) -> dict[str, TSP | VRP]:
    """Return the problems by their names, or by their files where two have the same name."""
    if best is not None and not Path(best).is_file():
        raise InputError("no such file", best)
    problems: dict[str, TSP | VRP] = {}
    for file in dict.fromkeys(files):
        problem = api.read(file, **options)
        if best is not None:
            problem = with_best(problem, file, best, original=options["rounding"] is None)
        problems[file if problem.name in problems else problem.name] = problem
    return problems


def _measure(report: Report, plan: Plan, interrupt: Interrupt | None, *, quiet: bool, tables: bool) -> None:
    """Make all runs; print each problem's table as soon as it is complete, or as far as it came."""
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


def _progress(run: Run) -> str:
    found = run.note or "no answer" if run.cost is None else format_cost(run.cost)
    cpu = "" if run.cpu is None else f", {run.cpu:.1f} s CPU"
    return f"{run.instance}: {run.solver}, {run.limit}, seed {run.seed}: {found} ({run.wall:.1f} s{cpu})"


def _show_head(report: Report, plan: Plan) -> None:
    at = report.conditions
    print(f"{at.date}; {at.device}; {at.version}\n{at.command}")
    seeds = f"{plan.seeds} seed{'s' if plan.seeds > 1 else ''}"
    print(f"medians and spread of {seeds}; warptour with {plan.threads} thread{'s' if plan.threads > 1 else ''}")
    for name, facts in report.peers.items():
        version = f" {facts['version']}" if facts["version"] else ""
        print(f"{name}{version}, {facts['command']}: limited by {facts['clock']}")


def _command(context: typer.Context) -> str:
    """Return the command line that measures the same."""
    line = ["warptour", "compare"]
    for parameter in context.command.params:
        value = context.params.get(parameter.name or "")
        if parameter.name in UNSAID or value in (None, (), [], False) or value == parameter.default:
            continue
        for each in value if isinstance(value, list | tuple) else [value]:
            option = [parameter.opts[0]] if parameter.param_type_name == "option" else []
            text = f"{each:g}" if isinstance(each, float) else str(each)
            line += option if each is True else [*option, text]
    return shlex.join(line)
