"""Words that users of other libraries try, and ours for them."""

from __future__ import annotations

from collections.abc import Collection
from difflib import get_close_matches
from typing import Final

OURS: Final = {
    **dict.fromkeys(("time_limit", "timeout", "max_time", "time", "limit", "max_runtime", "max_seconds"), "seconds"),
    **dict.fromkeys(("n_jobs", "num_threads", "n_threads", "nthreads", "cores", "num_workers", "workers"), "threads"),
    **dict.fromkeys(("max_iterations", "max_iter", "n_iter", "num_iterations", "maxiter"), "iterations"),
    **dict.fromkeys(("random_state", "random_seed", "rng"), "seed"),
    **dict.fromkeys(("verbose", "display", "show_progress", "tqdm"), "progress"),
    **dict.fromkeys(("init", "initial", "initial_tour", "initial_solution", "warm_start", "x0"), "start"),
    **dict.fromkeys(("callback", "callbacks"), "on_improvement"),
    **dict.fromkeys(("time_windows", "tw", "windows"), "windows"),
    **dict.fromkeys(("num_vehicles", "n_vehicles", "fleet_size", "k"), "vehicles"),
    **dict.fromkeys(("capacities", "vehicle_capacity", "q"), "capacity"),
    **dict.fromkeys(("demand",), "demands"),
    **dict.fromkeys(("service_time", "service_duration", "service"), "service_minutes"),
    **dict.fromkeys(("duration_matrix", "time_matrix", "durations_matrix"), "durations"),
    **dict.fromkeys(("pickups_deliveries", "pickup_delivery", "pickups"), "shipments"),
    **dict.fromkeys(("names", "node_names"), "labels"),
}
"""Our words by those of others; a library's user writes what that library calls it."""
OF_PROBLEMS: Final = {
    "windows", "vehicles", "capacity", "demands", "service_minutes", "durations", "shipments", "labels", "depot",
    "speed", "max_hours", "depart", "minimize", "open", "latlon",
}  # fmt: skip
"""What belongs to a problem, and not to its search."""


def meant(word: str, known: Collection[str]) -> str:
    """Return what may be meant by an argument that is not among the ``known``; nothing, if that is unclear."""
    ours = OURS.get(word, word)
    if ours in known and ours != word:
        return f"; here it is {ours}="
    if ours in OF_PROBLEMS and ours not in known:
        return f"; {ours}= is of a problem: VRP.from_points(..., {ours}=...)"
    close = get_close_matches(word, known, 1)
    return f"; did you mean {close[0]}=?" if close else ""


def check_words(function: str, given: Collection[str], *kinds: type) -> None:
    """Raise TypeError for an argument that none of some kinds of options has, with the one that may be meant."""
    known = [word for kind in kinds for word in (*getattr(kind, "__dataclass_fields__", ()), *kind.__annotations__)]
    unknown = next((word for word in given if word not in known), None)
    if unknown is not None:
        raise TypeError(f"{function}() got an unexpected keyword argument {unknown!r}{meant(unknown, known)}")
