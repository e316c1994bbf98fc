"""``warptour solve``: the best solution within the budget."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Annotated

from warptour import api
from warptour._version import __version__
from warptour.api.arguments import DEFAULT_SECONDS, is_unlimited
from warptour.cli import declare
from warptour.cli.failure import INTERNAL, SHORTAGE, UNWRITTEN, complain, explain
from warptour.cli.options import FILES, File, Json, Reading
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
from warptour.io.solution import check_output
from warptour.io.source import display_name
from warptour.model.errors import InfeasibleError, NothingFound, OutputError, SearchFailed, UsageError
from warptour.model.problem import TSP
from warptour.model.result import ResultRecord
from warptour.model.vehicles import VRP
from warptour.observe.progress import Silence, format_cost, progress
from warptour.observe.tours import tours_path
from warptour.observe.wording import exact_cost
from warptour.strategies.registry import STRATEGIES, default_strategy

Number = float | None

JSON_KEYS = (
    "name kind n cost feasible unit minimizes routes distance duration lower_bound bound_gap optimal best_known gap "
    "seconds read_seconds compile_seconds iterations moves device strategy seed threads workers interrupted ended "
    "improved_at warnings version output solution names trips"
).split()
"""Keys of the ``--json`` output, in this order; unknown values are null."""


@declare.spread()
def solve(
    context: declare.Context,
    file: File,
    *,
    strategy: Annotated[
        str | None,
        declare.Option(
            metavar="NAME", help=f"Search rule: {', '.join(STRATEGIES)}; by default the best for the problem."
        ),
    ] = None,
    settings: Annotated[
        list[str] | None,
        declare.Option("--set", metavar="FIELD=VALUE", help="A parameter of the strategy; repeatable."),
    ] = None,
    device: Annotated[
        str, declare.Option(help="Where to search: auto, all, cpu, cuda:N, opencl:N, or several of these: cuda:0,cpu.")
    ] = "auto",
    threads: Annotated[int | None, declare.Option(help="Worker threads, up to 1024; all cores by default.")] = None,
    cluster: Annotated[
        str | None,
        declare.Option(
            metavar="WHERE",
            help="Search with several processes: local:4 here, mpi under mpiexec, ray or ray:ADDRESS.",
        ),
    ] = None,
    seconds: Annotated[
        Number, declare.Option(help="Time limit; 10 unless --iterations or --patience is given.")
    ] = None,
    iterations: Annotated[int | None, declare.Option(help="Limit on the strategy's iterations.")] = None,
    target: Annotated[Number, declare.Option(metavar="COST", help="End at or below this cost.")] = None,
    patience: Annotated[
        Number,
        declare.Option(
            metavar="SECONDS", help="End after this long without an improvement; inf: small problems do not end early."
        ),
    ] = None,
    bound: Annotated[
        bool, declare.Option("--bound", help="Prove a lower bound meanwhile, on one of the threads (tours only).")
    ] = False,
    seed: Annotated[int, declare.Option(help="The one source of randomness.")] = 0,
    start: Annotated[
        str | None, declare.Option(metavar="NAME|FILE", help="Construction or solution to start from.")
    ] = None,
    given: Reading,
    output: Annotated[
        list[str] | None,
        declare.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="Write the solution here, - is standard output; may be repeated.",
            rich_help_panel=FILES,
        ),
    ] = None,
    plot: Annotated[
        str | None,
        declare.Option(metavar="FILE", help="Draw the solution here: .svg, .png or .pdf.", rich_help_panel=FILES),
    ] = None,
    map_file: Annotated[
        str | None,
        declare.Option("--map", metavar="FILE.html", help="Write a map of the solution here.", rich_help_panel=FILES),
    ] = None,
    trace: Annotated[
        str | None,
        declare.Option(metavar="FILE", help="Write a JSON line per improvement here.", rich_help_panel=FILES),
    ] = None,
    tours: Annotated[
        bool,
        declare.Option(
            "--tours", help="Keep the tours beside the trace, in FILE.tours, for view.", rich_help_panel=FILES
        ),
    ] = False,
    checkpoint: Annotated[
        str | None, declare.Option(metavar="FILE", help="Keep the best solution here.", rich_help_panel=FILES)
    ] = None,
    resume: Annotated[
        str | None, declare.Option(metavar="FILE", help="Go on from such a checkpoint.", rich_help_panel=FILES)
    ] = None,
    as_json: Json = False,
    quiet: Annotated[bool, declare.Option("--quiet", "-q", help="No progress, no summary.")] = False,
) -> int:
    """Find a short tour or cheap routes for FILE."""
    if cluster == "mpi":
        from warptour.cluster.links.mpi import serve_if_member

        serve_if_member(context.obj)
    if tours and trace is None:
        raise UsageError("--tours are kept beside a trace; say where with --trace FILE")
    sidecar = str(tours_path(trace)) if tours and trace is not None else None
    inputs = (file, given.matrix, given.durations)
    kept = (("--trace", trace), ("--tours", sidecar), ("--checkpoint", checkpoint))
    for option, path in kept:
        check_writable(path, option, inputs=inputs)
    pictures = Pictures(plot, map_file)
    pictures.check_files(inputs)
    began = time.perf_counter()
    problem = given.read(file)
    read_seconds = time.perf_counter() - began
    outputs, piped = split_outputs(output or [], as_json)
    check_distinct((*kept, ("--plot", plot), ("--map", map_file), *(("--output", path) for path in outputs)))
    for path in outputs:
        check_output(path, problem)
        check_writable(path, "--output", inputs=inputs)
    pictures.check_problem(problem)
    asked = configured(strategy, default_strategy(problem), settings or []) if strategy or settings else None
    rule = api.choose_strategy(problem, asked)
    limit = DEFAULT_SECONDS if is_unlimited(seconds, iterations, patience=patience) else seconds
    silent = quiet or (as_json and not (sys.stderr and sys.stderr.isatty()))
    fault: SearchFailed | None = None
    result: ResultRecord
    with (
        Silence() if silent else progress(sys.stderr, problem, limit, rule.iteration) as shown,
        naming(file),
    ):
        try:
            result = api.solve(
                problem,
                rule,
                seconds=seconds,
                iterations=iterations,
                target=target,
                patience=patience,
                seed=seed,
                threads=threads,
                device=device,
                cluster=cluster,
                start=start,
                trace=trace,
                tours=tours,
                listeners=[shown],
                checkpoint=checkpoint,
                resume=resume,
                bound=bound,
                interrupt=context.obj,
            )
        except NothingFound as error:
            if error.result is None:
                raise
            result = error.result
        except SearchFailed as error:
            result, fault = error.result, error
    if fault is not None:
        complain(f"warptour: {explain(fault)[0]}")
    result = replace(result, read_seconds=read_seconds)
    places = _places(outputs, checkpoint, problem, result, context.obj)
    drawn = pictures.draw(problem, result, context.obj)
    if not result.feasible:
        _explain_infeasible(problem, result)
    code = 0 if result.feasible else 1
    if fault is not None:
        code = INTERNAL
    elif result.unwritten or places != outputs or drawn != pictures.wanted:
        code = UNWRITTEN
    elif result.shortage is not None and result.feasible:
        code = SHORTAGE
    try:
        if piped:
            print_solution(problem, result)
        if as_json:
            written = places if len(places) > 1 else next(iter(places), None)
            facts = result.summary() | solution_facts(problem, result) | plan_facts(problem, result)
            facts |= {"version": __version__, "output": written}
            show_json({key: facts[key] for key in JSON_KEYS})
        elif not quiet:
            files = ", ".join([*places, *drawn])
            where = sys.stderr if piped else sys.stdout
            show_rows(summary(result, rule.iteration) | {"written": files or None}, where)
    except (OSError, OutputError):
        if code in (0, 1, SHORTAGE):
            raise
    return code


def _places(
    outputs: Sequence[str], checkpoint: str | None, problem: TSP | VRP, result: ResultRecord, interrupt: object
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


def _explain_infeasible(problem: TSP | VRP, result: ResultRecord) -> None:
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


def summary(result: ResultRecord, unit: str) -> dict[str, str | None]:
    """Return the lines of the result summary."""
    routes = None if result.routes is None else str(len(result.routes))
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


def ending(result: ResultRecord) -> str:
    """Return why the search ended, as a phrase."""
    if result.ended == "patience":
        return f"no improvement after {result.improved_at:.2f} s (--patience SECONDS waits longer)"
    return ENDINGS.get(result.ended, result.ended)
