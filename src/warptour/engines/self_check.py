"""Whether a device computes what it should: some steps of a small scan, each against the reference.

A driver may compile a kernel wrongly and say nothing. So a device is checked when it is first used, once for each
driver and kernel text (``devices/outcome.py`` keeps what was found).
"""

from __future__ import annotations

from typing import Final

import numpy as np

from warptour.devices import Device, DeviceError, candidates
from warptour.devices.outcome import Outcome, load_outcome, outcome_key, save_outcome
from warptour.engines.scans.scan import FastScan
from warptour.kernels.library import variant
from warptour.model.errors import WarptourError
from warptour.model.metric import METRICS
from warptour.model.problem import TSP
from warptour.neighborhoods.move import Ints, Move
from warptour.neighborhoods.two_opt import TwoOpt

CITIES: Final = 101
"""Enough for several tiles on a GPU, and for vectors that do not fit a whole number of times on a CPU."""

SIDE: Final = 251
"""Coordinates are below this: float32 roots, even rough ones, then round to the same whole numbers."""

STEPS: Final = 2
CHECKED: Final = ("EUCLIDEAN", "EUC_2D")
"""Metrics of the check: the fast scan has a build for rounded distances and one for all others."""

_outcomes: dict[str, Outcome] = {}
"""What this process has found or read so far."""


def self_check(device: Device, *, again: bool = False) -> str | None:
    """Return None if ``device`` finds what the reference finds, else one line that names it and what went wrong.

    The answer is known after the first time, in this process and, where there is a cache, in later ones.

    Parameters
    ----------
    again : bool
        Check a device again that has failed before.
    """
    try:
        key = outcome_key(device)
        outcome = _outcomes.get(key) or load_outcome(key)
        if outcome is None or (again and outcome.failure is not None):
            outcome = Outcome(_wrong_step(device))
            save_outcome(key, device, outcome)
        _outcomes[key] = outcome
    except DeviceError as error:
        return str(error)  # perhaps there was no room this time: not kept
    except WarptourError:
        raise
    except Exception as error:  # whatever a driver raises; not kept either
        words = " ".join(f"{type(error).__name__}: {error}".split())
        return f"{device.name} fails its self-check: {words}"
    if outcome.failure is None:
        return None
    return f"{device.name} ({device.about().title}) fails its self-check: {outcome.failure}"


def sound_device(name: str = "auto", threads: int | None = None) -> tuple[Device, list[str]]:
    """Return the device that ``name`` means, checked, and a sentence for each one that ``auto`` passed over.

    Parameters
    ----------
    name, threads
        As for :func:`warptour.devices.find`.

    Raises
    ------
    DeviceError
        If there is none such, or it fails its check; the message says what to use instead.
    """
    passed_over: list[str] = []
    *others, last = candidates(name, threads)
    for device in others:
        if (failure := self_check(device)) is None:
            return device, passed_over
        passed_over.append(failure)
    require_sound(last)
    return last, passed_over


def require_sound(device: Device) -> None:
    """Raise a :class:`DeviceError` that says what to use instead, if ``device`` fails its check."""
    if (failure := self_check(device)) is None:
        return
    if device.name != "cpu":
        advice = "use --device cpu, or another driver; `warptour devices` checks it again"
    elif variant() != "baseline":
        advice = "set WARPTOUR_ISA=baseline, or build the native library again"
    else:
        advice = "build the native library again (`make native`), with another compiler"
    raise DeviceError(f"{failure}: {advice}")


def check_problem(metric: str) -> TSP:
    """Return the cities of the check, scattered by a formula."""
    k = np.arange(CITIES)
    points = np.column_stack((7 * k * k + 111 * k, 3 * k * k * k + 97 * k)) % SIDE
    return TSP("self-check", METRICS[metric], points.astype(float))


def best_move(problem: TSP, tour: Ints) -> tuple[Move, float]:
    """Return the move with the least delta, the first of equals, and that delta, by NumPy alone."""
    rows = [TwoOpt().row(problem, tour, i) for i in range(len(tour) - 2)]
    i = int(np.argmin([row.min() for row in rows]))
    j = int(rows[i].argmin())
    return (i, i + 2 + j), float(rows[i][j])


def _wrong_step(device: Device) -> str | None:
    """Return what the first wrong step of a climb was, or None if all were right."""
    for metric in CHECKED:
        problem = check_problem(metric)
        tour = np.arange(CITIES, dtype=np.int32)
        scanner = FastScan(problem, device)
        scanner.load(tour)
        for step in range(1, STEPS + 1):
            scanner.scan()
            scanner.pick()
            found, (move, delta) = scanner.picked(), best_move(problem, tour)
            if found is None or found[0] != move or not np.isclose(found[1], delta):
                said = "nothing" if found is None else f"{found[0]} ({found[1]:g})"
                return f"step {step} of a {metric} scan of {CITIES} cities gave {said}, not {move} ({delta:g})"
            scanner.make()
            tour = TwoOpt().apply(tour, move)
        if not (scanner.tour() == tour).all():
            return f"{STEPS} moves in {metric} led to another tour than they should"
    return None
