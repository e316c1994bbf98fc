"""Launch shapes chosen by a short measurement, and cached on disk beside the outcomes of self-checks.

A model ranks the candidates; each of the first few is run a few times, and the quickest is kept for this device, its
driver and all kernel sources. A cached choice that is no candidate any more is measured again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from typing import Any, Final, TypeVar

from warptour.devices.device import Device
from warptour.devices.outcome import load_facts, outcome_key, save_facts

T = TypeVar("T")

TRIED: Final = 6
"""Maximum number of candidates measured, the best-ranked first: the model seldom ranks the quickest lower."""

RUNS: Final = 3
"""Timed runs of a candidate, of which the quickest counts. One more before them compiles the kernel and warms up."""

_chosen: dict[str, str] = {}
"""Choices of this process, by key, as text."""


def tuned(device: Device, key: str, candidates: Sequence[T], run: Callable[[T], Any], tried: int = TRIED) -> T:
    """Return the candidate that ran quickest on ``device``, measured now or cached.

    ``key``: What is tuned: kernel, metric and size. Device, driver and kernel sources are added to it.
    ``candidates``: Ranked, the most promising first; told apart by ``str``. A single one is returned unmeasured.
    ``run``: launches the work of one candidate
    ``tried``: number of candidates measured
    """
    if len(candidates) == 1:
        return candidates[0]
    by_name = {str(candidate): candidate for candidate in candidates}
    name = hashlib.sha256(f"{outcome_key(device)}\0{key}".encode()).hexdigest()
    choice = _chosen.get(name) or _loaded(name)
    if choice not in by_name:
        seconds = {str(candidate): best_seconds(device, run, candidate) for candidate in candidates[:tried]}
        choice = min(seconds, key=seconds.__getitem__)
        facts = {"device": device.name, "title": device.about().title, "key": key, "choice": choice}
        save_facts(f"tuned-{name}", {**facts, "seconds": seconds})
    _chosen[name] = choice
    return by_name[choice]


def best_seconds(device: Device, run: Callable[[T], Any], candidate: T) -> float:
    """Return the device time of ``run(candidate)``, the least of a few after one to warm up."""
    run(candidate)
    device.synchronise()
    best = float("inf")
    for _ in range(RUNS):
        with device.timed() as elapsed:
            run(candidate)
        best = min(best, elapsed.seconds)
    return best


def _loaded(name: str) -> str | None:
    facts = load_facts(f"tuned-{name}")
    choice = facts.get("choice") if facts else None
    return choice if isinstance(choice, str) else None
