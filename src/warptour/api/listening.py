"""Who hears of a search: the files that keep it, and the caller's callback."""

from __future__ import annotations

import os
from contextlib import ExitStack
from os import fspath
from os.path import realpath
from typing import TypeAlias

from warptour.api.options import SearchOptions
from warptour.io.files import is_special
from warptour.model.errors import UsageError
from warptour.model.problem import TSP
from warptour.model.vehicles import VRP
from warptour.observe.checkpoint import Checkpoint, Saved
from warptour.observe.events import Event, Improved, Listener
from warptour.observe.tours import Tours, tours_path
from warptour.observe.trace import Trace

Keeper: TypeAlias = Trace | Tours | Checkpoint


def open_keepers(
    stack: ExitStack, problem: TSP | VRP, options: SearchOptions, seed: int, saved: Saved | None
) -> dict[str, Keeper]:
    """Return the trace, tours and checkpoint asked for, by path; ``stack`` closes them.

    A checkpoint counts on from ``saved``, the one that the run resumes.
    """
    trace, checkpoint = options.trace, options.checkpoint
    if trace is not None and options.tours and is_special(trace):
        raise UsageError(f"{fspath(trace)} is a pipe or a device, and tours are kept beside a file")
    if trace is not None and checkpoint is not None and realpath(trace) == realpath(checkpoint) != os.devnull:
        raise UsageError(f"{fspath(trace)} cannot be both the trace and the checkpoint")
    keepers: dict[str, Keeper] = {}
    if trace is not None:
        keepers[fspath(trace)] = stack.enter_context(Trace(trace, tours=options.tours))
    if trace is not None and options.tours:
        keepers[str(tours_path(trace))] = stack.enter_context(Tours(tours_path(trace), problem))
    if checkpoint is not None:
        seconds, iterations = (0.0, 0) if saved is None else (saved.seconds, saved.iterations)
        keepers[fspath(checkpoint)] = Checkpoint(checkpoint, problem, seed=seed, seconds=seconds, iterations=iterations)
    return keepers


def callers_listeners(options: SearchOptions) -> list[Listener]:
    """Return the caller's own listeners, his callback among them."""
    found = list(options.listeners)
    call = options.on_improvement
    if call is not None:

        def listen(event: Event) -> object:
            if isinstance(event, Improved) and event.state.cost is not None:
                return call(event.state.cost, event.solution)
            return None

        found.append(listen)
    return found
