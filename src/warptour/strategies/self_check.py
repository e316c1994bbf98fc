"""Self-check of a device: small searches as users run them, compared with those of the CPU (``trial_searches.py``).

A driver may miscompile a kernel silently. Each device is therefore checked on first use, once per driver and kernel
source (``devices/outcome.py`` stores the outcomes).
"""

from __future__ import annotations

import signal
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from typing import Final

from warptour.devices import Device, DeviceError, candidates
from warptour.devices.outcome import Outcome, load_outcome, outcome_key, save_outcome
from warptour.kernels.library import variant
from warptour.model.errors import WarptourError
from warptour.observe.child import python

ALONE: Final = """
import sys
from warptour.devices import find
from warptour.strategies.self_check import self_check
self_check(find(sys.argv[1]), again=True)
"""
"""The check of one device as a program."""

_outcomes: dict[str, Outcome] = {}
"""Outcomes found or loaded by this process, by key."""


def self_check(device: Device, *, again: bool = False) -> str | None:
    """Return None if ``device`` computes what it should, else one line that names the device and the failure.

    The outcome is cached for this process and, if there is a cache directory, for later ones.

    ``again``: repeat the check of a device that failed before
    """
    try:
        key = outcome_key(device)
        outcome = _outcomes.get(key) or load_outcome(key)
        if outcome is None or (again and outcome.failure is not None):
            outcome = Outcome(_failure(device))
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
    return _failed(device, outcome.failure)


def self_check_apart(device: Device) -> str | None:
    """Check ``device`` like :func:`self_check`, again; if its driver would end this process, only a child ends."""
    if not device.is_host:
        with suppress(OSError):  # no process can be started: the check runs here alone
            code = subprocess.run(python("-c", ALONE, device.name), capture_output=True, check=False).returncode
            if code < 0:
                return _failed(device, f"its driver ends with {signal.Signals(-code).name}")
    return self_check(device, again=True)


def sound_device(
    name: str = "auto", threads: int | None = None, kinds: Sequence[str] | None = None
) -> tuple[Device, list[str]]:
    """Return the device that ``name`` selects, checked, and a sentence for each one that ``auto`` rejected.

    ``name``, ``threads``: as for :func:`warptour.devices.find`
    ``kinds``: backends that ``auto`` may select besides the CPU; by default all

    Raises :class:`DeviceError` if there is no such device or it fails its check; the message suggests an alternative.
    """
    passed_over: list[str] = []
    *others, last = candidates(name, threads)
    for device in others:
        if kinds is not None and device.backend not in kinds:
            continue
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


def _failed(device: Device, failure: str) -> str:
    return f"{device.name} ({device.about().title}) fails its self-check: {failure}"


def _failure(device: Device) -> str | None:
    """Return what was wrong in the trial searches, or None."""
    from warptour.strategies.trial_searches import wrong_answer  # rarely needed: outcomes are cached

    return wrong_answer(device)
