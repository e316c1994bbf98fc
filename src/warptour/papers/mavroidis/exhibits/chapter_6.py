"""Table of chapter 6 and figures 19 to 21: descents and annealing, their quality and time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from warptour.bench import Options, Row
from warptour.devices import Device
from warptour.model.problem import TSP
from warptour.papers.exhibit import Exhibit, Lines, Plot, over_cities
from warptour.papers.mavroidis.engine.forms import Form
from warptour.papers.mavroidis.exhibits.annealing import (
    annealed,
    annealed_until,
    as_printed,
    cooled,
    cooled_until,
    descent,
    gap,
    instances,
    limits,
    schedules,
    unrounded,
)
from warptour.papers.mavroidis.exhibits.machine import best_time, list_descent, list_two_opt, named
from warptour.papers.mavroidis.exhibits.printed import OTHER_OPTIMA, PrintedTours
from warptour.strategies.self_check import sound_device

SECONDS: Final = 1.6
"""Time limit of the row with a fixed one."""
NONE: Final = float("nan")
"""No value of the thesis."""


def table(options: Options) -> Iterator[Row]:
    """Yield errors and times of every method on each instance, and how many errors are as printed."""
    seen = []
    for row in _methods(options):
        seen.append(row)
        yield row
    yield from _agreeing(seen)


def _methods(options: Options) -> Iterator[Row]:
    """Yield errors and times of neighbour lists, of a descent (on a GPU, also of one core) and of annealing."""
    device, _ = sound_device(options.device, options.threads)
    gpu = device.about().kind == "gpu"
    core, _ = sound_device("cpu", 1)
    for problem, printed in instances(options):
        his = printed or PrintedTours(problem.n, *[NONE] * 7)
        for what, search in (("lists, 2-opt", list_two_opt), ("lists, 2-opt and or-opt", list_descent)):
            seconds, tour = best_time(lambda problem=problem, search=search: search(problem))  # type: ignore[misc]
            alone = search is list_two_opt
            error, peer = gap(problem, problem.cost(tour)), his.concorde if alone else NONE
            yield from _row(problem, f"{what}, error", "cpu", error, "% above", peer)
            yield from _row(problem, f"{what}, time", "cpu", 1e3 * seconds, "ms", his.concorde_ms if alone else NONE)
        if gpu:
            seconds, _ = descent(core, problem)
            yield from _row(problem, "2-optimal, time on one core", core.name, 1e3 * seconds, "ms", his.cpu_ms)
        yield from _errors(problem, his, device)
        seconds, _ = descent(device, problem)
        yield from _row(problem, "2-optimal, time", device.name, 1e3 * seconds, "ms", his.gpu_ms if gpu else his.cpu_ms)
        if gpu:
            seconds, _ = descent(device, problem, "blocks")
            yield from _row(problem, "2-optimal in blocks, time", device.name, 1e3 * seconds, "ms", his.gpu_ms)
        limit = min(SECONDS, limits(options)[-1])
        cost = annealed(problem.name, problem.n, device.name, options.threads, limit)
        what = f"annealed {limit:g} s, error"
        yield from _row(problem, what, device.name, gap(problem, cost), "% above", his.annealed)
        if printed is None:
            continue
        for what, until in (
            ("annealed", annealed_until(problem, printed, device, options)),
            ("his cooling", cooled_until(problem, printed, device, "group", options)),
        ):
            if until is not None:
                peer = his.annealed_ms if gpu else NONE  # he annealed on the GPU only
                reached = f"{what} to his {his.annealed:g}%, time"
                yield from _row(problem, reached, device.name, 1e3 * until[0], "ms", peer)


def _errors(problem: TSP, his: PrintedTours, device: Device) -> Iterator[Row]:
    """Yield the error of a descent in the distances of the thesis, over other optima, and in rounded distances."""
    full = unrounded(problem)
    cost = float(full.cost(descent(device, full)[1]))
    yield from _row(problem, "2-optimal, error", device.name, gap(full, cost), "% above", his.descent)
    if problem.name in OTHER_OPTIMA:
        other, what = OTHER_OPTIMA[problem.name]
        error = gap(replace(full, best_known=other), cost)
        yield from _row(problem, f"2-optimal, error over {other:,}, {what}", device.name, error, "% above", his.descent)
    rounded = problem.cost(descent(device, problem)[1])
    yield from _row(
        problem, "2-optimal in rounded distances, error", device.name, gap(problem, rounded), "% above", NONE
    )


def _agreeing(rows: list[Row]) -> Iterator[Row]:
    """Yield how many errors of 2-optimal tours are the printed ones."""
    errors = [row for row in rows if row.case.endswith(", 2-optimal, error") and row.peer is not None]
    if errors:
        count = sum(as_printed(row.value, row.peer) for row in errors if row.peer is not None)
        case = "2-optimal, errors as printed, cut to their digits"
        yield Row("mavroidis", case, 0, errors[0].device, count, f"of {len(errors)}")


def _row(problem: TSP, what: str, device: str, value: float | None, unit: str, peer: float) -> Iterator[Row]:
    """Yield a row, if there is a value; a peer that is not a number is none."""
    if value is not None:
        known = None if peer != peer else peer
        yield Row("mavroidis", f"{problem.name}, {what}", problem.n, device, value, unit, peer=known)


TABLE: Final = Exhibit(
    "chapter-6",
    "Table of chapter 6 (its table 1): 2-optimal tours and annealing, percent above the optimum and time",
    "Errors of 2-optimal tours are of coordinates cut to integers and of unrounded distances, as in section 6.4, over "
    "the optimum in rounded ones; his are cut, not rounded (10.57 is printed as 10.5). tsp225 fits over an older "
    "optimum, too, kroA200 only over that of kroB200. p654 stays open: neither other arithmetic nor another optimum "
    "known to us gives his 14.1%. All other errors and the times are in rounded distances. Times stand beside those of"
    " the same kind of device: his GTX 280 for a GPU, his Pentium at 3 GHz for a CPU. On a GPU he spreads a tour over "
    "blocks; ours is in one group, and in blocks beside it. His neighbour lists are Concorde's 2-opt; ours are 2-opt "
    "alone, and 2-opt with or-opt. Annealing: seed 1, from a greedy tour, many tours at once, cooled by the time left;"
    " for the time to his percentage, limits are doubled from 12.5 ms. His cooling: one tour from the order of the "
    "file, equal steps from 0.3 mean edges to 0, their number doubled from 25 to 800, or a million rounds.",
    table,
)


COOLINGS: Final[dict[str, Form]] = {"his cooling, blocks": "blocks", "his cooling, one group": "group"}
OURS: Final = "ours"


def figure_19(options: Options) -> Iterator[Row]:
    """Yield time and quality of each cooling of the thesis, in both forms, and of ours by time limit."""
    device, _ = sound_device(options.device, options.threads)
    problem, _ = named("d493", 493)
    for series, form in COOLINGS.items():
        for temperatures in schedules(problem.n, options):
            seconds, cost = cooled("d493", problem.n, device.name, form, temperatures)
            yield from _quality_rows(problem, f"{series}, {temperatures} temperatures", device.name, seconds, cost)
    for seconds in limits(options):
        cost = annealed("d493", problem.n, device.name, options.threads, seconds)
        yield from _quality_rows(problem, f"{OURS}, {seconds:g} s", device.name, seconds, cost)


def _quality_rows(problem: TSP, case: str, device: str, seconds: float, cost: float) -> Iterator[Row]:
    """Yield the time, and the percentage above the optimum or, where that is not known, the cost."""
    above = gap(problem, cost)
    value, unit = (cost, "cost") if above is None else (above, "% above")
    yield Row("mavroidis", f"{problem.name}, {case}: time", problem.n, device, 1e3 * seconds, "ms")
    yield Row("mavroidis", f"{problem.name}, {case}: quality", problem.n, device, value, unit)


def quality(rows: list[Row]) -> Lines:
    """Return the quality over the seconds."""
    pairs = list(zip(rows[::2], rows[1::2], strict=True))
    return {
        series: [(time.value / 1e3, quality.value) for time, quality in pairs if f", {series}, " in time.case]
        for series in (*COOLINGS, OURS)
    }


FIGURE_19: Final = Exhibit(
    "figure-19",
    "Figure 19: quality of annealing on d493 over its time",
    "The thesis varies the cooling rate, which sets the time. His cooling: one tour from the order of the file, equal "
    "steps from 0.3 mean edges to 0, 493 rounds at each temperature; he names no values. Ours starts from a greedy "
    "tour, anneals many tours at once, and the time limit sets its cooling rate. The figure prints no values; his "
    "table has 4.3% after 5.47 s.",
    figure_19,
    (Plot("annealing_d493", "seconds", "% above the optimum", "annealing d493", quality, log_x=True),),
)


FORMS: Final[dict[str, Form]] = {"blocks": "blocks", "one group": "group"}


def figure_20(options: Options) -> Iterator[Row]:
    """Yield how many times faster the descent of each instance is than one group on one core, for both forms.

    Without a GPU, for blocks alone, which a core walks through one by one.
    """
    device, _ = sound_device(options.device, options.threads)
    gpu = device.about().kind == "gpu"
    core, _ = sound_device("cpu", 1)
    for problem, printed in instances(options):
        alone = descent(core, problem)[0]
        for what, form in FORMS.items():
            if gpu or form == "blocks":
                ratio = alone / descent(device, problem, form)[0]
                peer = printed.cpu_ms / printed.gpu_ms if printed and gpu else None
                yield Row("mavroidis", f"{problem.name}, {what}", problem.n, device.name, ratio, "times", peer=peer)


def speed_ups(rows: list[Row]) -> Lines:
    """Return the ratios over the number of cities."""
    ours: Lines = {form: [(row.n, row.value) for row in rows if row.case.endswith(form)] for form in FORMS}
    return ours | {"Mavroidis (2011)": [(row.n, row.peer) for row in rows if row.peer is not None]}


FIGURE_20: Final = Exhibit(
    "figure-20",
    "Figure 20: speed-up of a descent over one core of the CPU, a tour in blocks and in one group",
    "His GPU is a GTX 280 and his CPU a Pentium at 3 GHz; the paper's ratios are computed from his table, and his form "
    "is blocks. Ours are over our form on one core of this machine; without a GPU they say what blocks cost there.",
    figure_20,
    (over_cities("symmetric_gpu", "times as fast", "a descent over one core", speed_ups, log_y=True),),
)


WAYS: Final[dict[str, Form | None]] = {"his cooling, blocks": "blocks", "his cooling": "group", "ours": None}
"""Ways of annealing, and the form of those with his cooling."""


def figure_21(options: Options) -> Iterator[Row]:
    """Yield the time of annealing in descents of the same form on the same device.

    It is the time in which annealing matches his percentage; for uniform cities, that of one schedule of his cooling.
    """
    device, _ = sound_device(options.device, options.threads)
    gpu = device.about().kind == "gpu"
    for problem, printed in instances(options):
        peer = printed.annealed_ms / printed.gpu_ms if printed and gpu else None
        for series, form in WAYS.items():
            if form == "blocks" and not gpu and not options.quick:
                continue  # one core walks through the blocks
            seconds = _seconds(problem, printed, device, form, options)
            if seconds is not None:
                ratio = seconds / descent(device, problem, form or "group")[0]
                case = f"{problem.name}, {series}" + (f" to {printed.annealed:g}%" if printed else "")
                yield Row("mavroidis", case, problem.n, device.name, ratio, "descents", peer=peer)


def _seconds(
    problem: TSP, printed: PrintedTours | None, device: Device, form: Form | None, options: Options
) -> float | None:
    """Return the seconds of annealing; None if it does not match his percentage."""
    if printed is None or not problem.best_known:
        shown = cooled(problem.name, problem.n, device.name, form, schedules(problem.n, options)[-1]) if form else None
        return shown[0] if shown else None
    if form is None:
        until = annealed_until(problem, printed, device, options)
    else:
        until = cooled_until(problem, printed, device, form, options)
    return until[0] if until else None


def ratios(rows: list[Row]) -> Lines:
    """Return the ratios over the number of cities."""
    ours: Lines = {
        series: [(row.n, row.value) for row in rows if row.case.partition(", ")[2].partition(" to ")[0] == series]
        for series in WAYS
    }
    return ours | {"Mavroidis (2011)": [(row.n, row.peer) for row in rows if row.peer is not None]}


FIGURE_21: Final = Exhibit(
    "figure-21",
    "Figure 21: time of annealing to his percentages, in descents without annealing",
    "His ratios are of times on a GTX 280, computed from his table; none stands beside a CPU. His cooling: one tour "
    "from the order of the file, equal steps from 0.3 mean edges to 0, n rounds at each, their number doubled from 25 "
    "to 800, or a million rounds, until the percentage is reached; ours: time limits doubled from 12.5 ms to 3.2 s. "
    "What does not reach it is left out. Uniform cities have no percentage: the time is that of one schedule.",
    figure_21,
    (
        over_cities(
            "annealing_cost", "times a descent", "annealing to the percentages of Mavroidis (2011)", ratios, log_y=True
        ),
    ),
)
