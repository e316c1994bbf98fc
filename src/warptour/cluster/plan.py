"""How a search is divided among the members of a crew, or the devices of this process."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from warptour.cluster.crew import Crew
from warptour.cluster.islands.archipelago import Islands
from warptour.cluster.links.threads import hire, host_threads
from warptour.cluster.regions.regions import TourRegions
from warptour.cluster.routes.parts import RouteParts
from warptour.cluster.rows.rows import Rows
from warptour.observe.interrupt import Interrupt
from warptour.search.search import Search
from warptour.search.strategy import Strategy

MIN_REGIONS_CITIES = 200_000
"""Smallest tour whose regions members search; of a smaller one, each searches the whole."""

MANY_MEMBERS, MIN_CITIES_OF_MANY = 8, 100_000
"""With at least this many members, tours of at least this many cities are searched in regions: islands of 100,000
cities gain nothing beyond two members."""

MIN_GROUP_CUSTOMERS = 1000
"""Customers per member from which members search groups of routes; with fewer, each searches all routes."""


@contextmanager
def divided(
    strategy: Strategy,
    search: Search[Any],
    crew: Crew | None = None,  # what it tells the user is passed on, and signals to any of its members end the search
    device: str | Sequence[str] = "auto",  # devices of each member
    interrupt: Interrupt | None = None,  # told of signals that a member gets
) -> Iterator[Strategy]:
    """Yield what runs ``strategy`` on all members of ``crew``, or without one on all devices of ``search``.

    ``strategy``: yielded as it is where there is one device, or where it shares its scans or parts among several
    """
    if crew is not None:
        if crew.remark is not None:
            search.note(crew.remark, lasting=True)
        crew.on_signal = (lambda number: search.interrupt()) if interrupt is None else interrupt.receive
        search.threads, search.workers = crew.threads, len(crew.members)
        names = device if isinstance(device, str) else ",".join(device)
        division = Rows if strategy.portion == "rows" else _division(strategy, search, crew)
        yield division(strategy, crew, threads=crew.threads, device=names)
    elif len(search.devices) == 1 or strategy.portion in ("rows", "parts"):
        yield strategy
    else:
        with Crew([hire(device) for device in search.devices]) as threads:
            shares = host_threads(search.devices, search.threads)
            yield _division(strategy, search, threads)(strategy, threads, threads=shares)


def _division(strategy: Strategy, search: Search[Any], crew: Crew) -> type[Islands | TourRegions | RouteParts]:
    """Return how members divide a search: many routes into groups, large tours into regions, all else into islands."""
    if len(crew.members) == 1:
        return Islands
    n, members = search.problem.n, len(crew.members)
    if strategy.portion == "groups":
        return RouteParts if n > MIN_GROUP_CUSTOMERS * members else Islands
    if n < (MIN_CITIES_OF_MANY if members >= MANY_MEMBERS else MIN_REGIONS_CITIES):
        return Islands
    return Islands if TourRegions(strategy, crew, threads=1).refuses(search.problem) else TourRegions
