"""Self-check of a device: a few steps of a small scan, each compared with the reference.

A driver may miscompile a kernel silently. Each device is therefore checked on first use, once per driver and kernel
source (``devices/outcome.py`` stores the outcomes).
"""

from __future__ import annotations

from typing import Final

import numpy as np

from warptour.devices import Device, DeviceError, candidates
from warptour.devices.outcome import Outcome, load_outcome, outcome_key, save_outcome
from warptour.kernels.library import variant
from warptour.model.errors import WarptourError
from warptour.model.metric import METRICS
from warptour.model.problem import TSP
from warptour.neighborhoods.move import Ints, Move
from warptour.neighborhoods.two_opt import TwoOpt

CITIES: Final = 101
"""Number of cities: several tiles on a GPU, and not a multiple of the vector width on a CPU."""

SIDE: Final = 251
"""Exclusive upper bound on coordinates; even approximate float32 roots then round to the same integers."""

STEPS: Final = 2
CHECKED: Final = ("EUCLIDEAN", "EUC_2D")
"""Metrics checked: the fast scan has one build for rounded distances and one for all others."""

_outcomes: dict[str, Outcome] = {}
"""Outcomes found or loaded by this process, by key."""


def self_check(device: Device, *, again: bool = False) -> str | None:
    """Return None if ``device`` matches the reference, else one line that names the device and the failure.

    The outcome is cached for this process and, if there is a cache directory, for later ones.

    Parameters
    ----------
    device : Device
    again : bool
        Repeat the check of a device that failed before.
    """
    try:
        key = outcome_key(device)
        outcome = _outcomes.get(key) or load_outcome(key)
        if outcome is None or (again and outcome.failure is not None):
            outcome = Outcome(_wrong_step(device))
            save_outcome(key, device, outcome)
        _outcomes[key] = outcome
    except DeviceError as error:
        return str(error)  # perhaps temporarily out of memory: not cached
    except WarptourError:
        raise
    except Exception as error:  # drivers raise anything; not cached either
        words = " ".join(f"{type(error).__name__}: {error}".split())
        return f"{device.name} fails its self-check: {words}"
    if outcome.failure is None:
        return None
    return f"{device.name} ({device.about().title}) fails its self-check: {outcome.failure}"


def sound_device(name: str = "auto", threads: int | None = None) -> tuple[Device, list[str]]:
    """Return the device that ``name`` selects, checked, and a sentence for each one that ``auto`` rejected.

    Parameters
    ----------
    name, threads
        As for :func:`warptour.devices.find`.

    Raises
    ------
    DeviceError
        If there is no such device or it fails its check; the message suggests an alternative.
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
    """Raise a :class:`DeviceError` that suggests an alternative if ``device`` fails its check."""
    if (failure := self_check(device)) is None:
        return
    if not device.is_host:
        advice = "use --device cpu, or another driver; `warptour devices` checks it again"
    elif variant() != "baseline":
        advice = "set WARPTOUR_ISA=baseline, or build the native library again"
    else:
        advice = "build the native library again (`make native`), with another compiler"
    raise DeviceError(f"{failure}: {advice}")


def check_problem(metric: str) -> TSP:
    """Return the instance of the check, with cities scattered by a formula."""
    k = np.arange(CITIES)
    points = np.column_stack((7 * k * k + 111 * k, 3 * k * k * k + 97 * k)) % SIDE
    return TSP("self-check", METRICS[metric], points.astype(float))


def best_move(problem: TSP, tour: Ints) -> tuple[Move, float]:
    """Return the move with the smallest delta, the first of ties, and that delta, by NumPy alone."""
    rows = [TwoOpt().row(problem, tour, i) for i in range(len(tour) - 2)]
    i = int(np.argmin([row.min() for row in rows]))
    j = int(rows[i].argmin())
    return (i, i + 2 + j), float(rows[i][j])


def _wrong_step(device: Device) -> str | None:
    """Return a description of the first wrong step of a climb, or None if all steps were right."""
    from warptour.papers.scans.scan import FastScan  # rarely needed: outcomes are cached

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
