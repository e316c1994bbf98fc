"""``warptour solve``: the best solution within the budget."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from os import fspath
from typing import Annotated

from warptour import api
from warptour._version import __version__
from warptour.api.arguments import DEFAULT_SECONDS, is_unlimited
from warptour.api.options import FILES, SearchOptions
from warptour.api.solving import run
from warptour.cli.declare import Context
from warptour.cli.failure import INTERNAL, SHORTAGE, UNWRITTEN, complain, explain
from warptour.cli.options import File, Json, read_given
from warptour.cli.output import (
    check_distinct,
    check_writable,
    print_solution,
    rescue,
    solution_facts,
    split_outputs,
    write_output,
)
from warptour.cli.pictures import Pictures
from warptour.cli.plan import plan_facts, plan_rows
from warptour.cli.settings import configured
from warptour.cli.show import show_json, show_rows
from warptour.io.reading import ReadOptions
from warptour.io.solution import check_output
from warptour.io.source import display_name
from warptour.model.errors import InfeasibleError, NothingFound, OutputError, SearchFailed, UsageError
from warptour.model.option import Option
from warptour.model.problem import TSP
from warptour.model.vehicles import VRP
from warptour.observe.progress import Silence, format_cost, progress
from warptour.observe.result import Result
from warptour.observe.tours import tours_path
from warptour.observe.wording import exact_cost
from warptour.search.strategy import Strategy
from warptour.strategies.registry import default_strategy

JSON_KEYS = (
    "name kind n cost feasible unit minimizes routes distance duration lower_bound bound_gap optimal best_known gap "
    "seconds read_seconds compile_seconds iterations moves device strategy seed threads workers interrupted ended "
    "improved_at warnings version output solution names trips unserved unused balance changes"
).split()
"""Keys of the ``--json`` output, in this order; unknown values are null."""


@dataclass(frozen=True)
class Outputs:
    """Where the solution goes."""

    output: Annotated[
        list[str] | None,
        Option(
            "Write the solution here, - is standard output; may be repeated.",
            "--output -o",
            metavar="FILE",
            group=FILES,
        ),
    ] = None
    plot: Annotated[str | None, Option("Draw the solution here: .svg, .png or .pdf.", metavar="FILE", group=FILES)] = (
        None
    )
    map_file: Annotated[
        str | None, Option("Write a map of the solution here.", "--map", metavar="FILE.html", group=FILES)
    ] = None
    as_json: Json = False
    quiet: Annotated[bool, Option("No progress, no summary.", "--quiet -q")] = False


def solve(
    context: Context,
    file: File,
    *,
    options: SearchOptions,
    settings: Annotated[
        list[str] | None, Option("A parameter of the strategy; repeatable.", "--set", metavar="FIELD=VALUE")
    ] = None,
    given: ReadOptions,
    wanted: Outputs,
) -> int:
    """Find a short tour or cheap routes for FILE."""
    if options.cluster == "mpi":
        from warptour.cluster.links.mpi import serve_if_member

        serve_if_member(context.interrupt)
    kept, pictures = _kept(options), Pictures(wanted.plot, wanted.map_file)
    read = (given.matrix, given.durations, given.roads, given.traffic, given.fleet, given.locked)
    inputs = [file, *(fspath(path) for path in read if path is not None)]
    for option, path in kept:
        check_writable(path, option, inputs=inputs)
    pictures.check_files(inputs)
    began = time.perf_counter()
    problem = read_given(file, given)
    read_seconds = time.perf_counter() - began
    outputs, piped = split_outputs(wanted.output or [], wanted.as_json)
    drawings = (("--plot", wanted.plot), ("--map", wanted.map_file))
    check_distinct((*kept, *drawings, *(("--output", path) for path in outputs)))
    for path in outputs:
        check_output(path, problem)
        check_writable(path, "--output", inputs=inputs)
    pictures.check_problem(problem)
    strategy = _chosen(problem, options.strategy, settings or [])
    options = replace(options, strategy=strategy, interrupt=context.interrupt)
    silent = wanted.quiet or (wanted.as_json and not (sys.stderr and sys.stderr.isatty()))
    with naming(file):
        result, fault = _searched(problem, options, strategy.iteration, silent=silent)
    result = replace(result, read_seconds=read_seconds)
    places = _places(outputs, kept[-1][1], problem, result, context.interrupt)
    drawn = pictures.draw(problem, result, context.interrupt)
    if not result.feasible:
        _explain_infeasible(problem, result)
    code = _exit_code(result, fault, lost=places != outputs or drawn != pictures.wanted)
    try:
        if piped:
            print_solution(problem, result)
        if wanted.as_json:
            _show_facts(problem, result, places)
        elif not wanted.quiet:
            files = ", ".join([*places, *drawn])
            where = sys.stderr if piped else sys.stdout
            show_rows(summary(result, strategy.iteration) | {"written": files or None}, where)
    except (OSError, OutputError):
        if code in (0, 1, SHORTAGE):
            raise
    return code


def _chosen(problem: TSP | VRP, name: object, settings: Sequence[str]) -> Strategy:
    """Return the strategy asked for, or the one that solves the problem best."""
    if not name and not settings:
        return api.choose_strategy(problem, None)
    return api.choose_strategy(
        problem, configured(name if isinstance(name, str) else None, default_strategy(problem), settings)
    )


def _kept(options: SearchOptions) -> list[tuple[str, str | None]]:
    """Return the files that keep the search as it goes on, by their options; the checkpoint is last."""
    trace = None if options.trace is None else fspath(options.trace)
    if options.tours and trace is None:
        raise UsageError("--tours are kept beside a trace; say where with --trace FILE")
    sidecar = str(tours_path(trace)) if options.tours and trace is not None else None
    checkpoint = None if options.checkpoint is None else fspath(options.checkpoint)
    return [("--trace", trace), ("--tours", sidecar), ("--checkpoint", checkpoint)]


def _searched(
    problem: TSP | VRP, options: SearchOptions, unit: str, *, silent: bool
) -> tuple[Result, SearchFailed | None]:
    """Return what a search found, feasible or not, and the fault that ended it, if one did; show its progress."""
    unlimited = is_unlimited(options.seconds, options.iterations, patience=options.patience)
    limit = DEFAULT_SECONDS if unlimited else options.seconds
    result: Result
    fault: SearchFailed | None = None
    with Silence() if silent else progress(sys.stderr, problem, limit, unit) as shown:
        try:
            result = run(problem, replace(options, listeners=[shown]))
        except NothingFound as error:
            if error.result is None:
                raise
            result = error.result
        except SearchFailed as error:
            result, fault = error.result, error
    if fault is not None:
        complain(f"warptour: {explain(fault)[0]}")
    return result, fault


def _exit_code(result: Result, fault: SearchFailed | None, *, lost: bool) -> int:
    """Return the exit code; ``lost`` says whether an output is not where it was asked for."""
    if fault is not None:
        return INTERNAL
    if result.unwritten or lost:
        return UNWRITTEN
    if not result.feasible:
        return 1
    return SHORTAGE if result.shortage is not None else 0


def _show_facts(problem: TSP | VRP, result: Result, places: Sequence[str]) -> None:
    """Print the result as JSON."""
    facts = result.summary() | solution_facts(problem, result) | plan_facts(problem, result)
    facts |= {"version": __version__, "output": places if len(places) > 1 else next(iter(places), None)}
    show_json({key: facts[key] for key in JSON_KEYS})


def _places(
    outputs: Sequence[str], checkpoint: str | None, problem: TSP | VRP, result: Result, interrupt: object
) -> list[str]:
    """Write the solution; return the files that hold it. A failed checkpoint is replaced by a rescue file."""
    stale = checkpoint is not None and checkpoint in result.unwritten
    places: list[str] = []
    for output in outputs:
        held = next(iter(places), None if stale else checkpoint)
        place = write_output(output, problem, result, held, interrupt)
        places += [] if place is None else [place]
    if checkpoint is not None and stale and not outputs:
        place = rescue(checkpoint, problem, result, f"the checkpoint {checkpoint} does not hold the solution")
        places += [] if place is None else [place]
    return places


def _explain_infeasible(problem: TSP | VRP, result: Result) -> None:
    """Print the violations of the best solution on standard error."""
    complain(f"warptour: no feasible solution was found in {result.seconds:.1f} s; the best one has:")
    for violation in api.check(problem, result).violations:
        complain(f"- {violation}")


@contextmanager
def naming(file: str) -> Iterator[None]:
    """Prefix a proof of infeasibility with the file name."""
    try:
        yield
    except InfeasibleError as error:
        raise InfeasibleError(f"{display_name(file)}: {error}") from None


def summary(result: Result, unit: str) -> dict[str, str | None]:
    """Return the lines of the result summary."""
    routes = None if result.routes is None else str(sum(len(route) > 0 for route in result.routes))
    gap = None if result.gap is None else f"{result.gap:.3f}% above the best known, {format_cost(result.best_known)}"
    if result.gap is not None and result.gap <= 0:
        gap = "none: the best known cost" if result.gap == 0 else f"{-result.gap:.3f}% below the best known"
    bound = None if result.bound_gap is None else f"at most {result.bound_gap:.3f}% above the optimum"
    if result.optimal:
        bound = "optimal: equal to the lower bound"
    threads = f"{result.threads} thread{'s' if result.threads > 1 else ''}"
    workers = threads if result.workers == 1 else f"{result.workers} workers with {threads} each"
    how = f"{result.strategy} on {result.device}, {workers}"
    return {
        "cost": exact_cost(result.problem, result.cost) + ("" if result.feasible else " (infeasible)"),
        "routes": routes,
        **plan_rows(result.problem, result),
        "gap": gap,
        "bound": bound,
        "problem": f"{result.name}, {result.n:,} {'nodes' if result.kind == 'vrp' else 'cities'}",
        "search": f"{result.seconds:.2f} s, {result.iterations:,} {unit}, {how}, seed {result.seed}",
        "ended": ending(result),
    }


ENDINGS = {
    "callback": "as a listener asked for",
    "failure": "by a failure",
    "finished": "the strategy was done",
    "iterations": "limit on iterations",
    "optimal": "proved optimal",
    "target": "target reached",
    "time": "time limit",
}
"""Words for people where ``Result.ended`` alone says too little."""


def ending(result: Result) -> str:
    """Return why the search ended, as a phrase."""
    if result.ended == "patience":
        return f"no improvement after {result.improved_at:.2f} s (--patience SECONDS waits longer)"
    return ENDINGS.get(result.ended, result.ended)
