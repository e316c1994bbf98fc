"""A team: the threads of one strategy at work on one tour, and how a search follows them."""

from __future__ import annotations

import math
from typing import Protocol

from warptour.search.search import Search, Tour
from warptour.search.threads import Poll

OFFER_SHARE = 20
"""A tour is handed in at most once in so many times what that costs."""


class Team(Protocol):
    """Threads that improve a tour."""

    @property
    def kicks(self) -> int:
        """Kicks so far."""

    @property
    def evaluations(self) -> int:
        """Moves or cities looked at so far."""

    @property
    def gain(self) -> float:
        """By how much the tour is shorter than the first one."""

    def advance(self, kicks_left: float, poll: Poll) -> None:
        """Go on for a while; ``kicks_left`` limits the kicks of all threads together, ``poll`` ends long work."""

    def best(self) -> Tour:
        """Return the best tour so far, as the problem numbers cities."""


def follow(search: Search, team: Team) -> None:
    """Let ``team`` work until the search is over, and hand in its tours, not so often that it shows.

    Its work ends so early that the last tour is handed in on time; for a hundred million cities that takes a second.
    """
    offered_gain, offered_at, offer_took = 0.0, search.seconds, 0.0
    kicks = evaluations = 0

    def poll() -> bool:
        nonlocal kicks, evaluations, offered_gain, offered_at, offer_took
        more_kicks, more_evaluations = team.kicks, team.evaluations
        search.count(more_kicks - kicks, more_evaluations - evaluations)
        kicks, evaluations = more_kicks, more_evaluations
        due = search.seconds - offered_at >= OFFER_SHARE * offer_took and search.seconds_left() >= 2 * offer_took
        if team.gain > offered_gain and due:
            offered_gain, offered_at = team.gain, search.seconds
            search.offer(team.best())
            offer_took = search.seconds - offered_at
        return search.over() or search.seconds_left() < offer_took

    while not poll():
        team.advance(search.iterations_left(), poll)
    search.offer(team.best())


def shares(kicks_left: float, each: int, workers: int) -> list[int]:
    """Return how many kicks each worker does next: ``each``, or an even share of what is left."""
    total = each * workers if math.isinf(kicks_left) else min(each * workers, int(kicks_left))
    return [total // workers + (number < total % workers) for number in range(workers)]


def fitting(wanted: float, kicks_left: float, kicks_a_second: float, seconds: float) -> int:
    """Return how many of the ``wanted`` kicks to do: at least one, at most those left.

    Without a limit on kicks they also fit into nine tenths of the ``seconds`` that are left, if it is known how many a
    second there are; with one no clock decides.
    """
    wanted = min(wanted, kicks_left)
    if math.isinf(kicks_left) and not math.isinf(seconds) and kicks_a_second:
        wanted = min(wanted, kicks_a_second * max(0.9 * seconds, 0.01))
    return max(1, int(wanted))
