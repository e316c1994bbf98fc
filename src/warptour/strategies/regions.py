"""Threads that search one whole tour, each kicking in a region of its own, and merge what they win."""

from __future__ import annotations

from warptour.engines.merge import merge
from warptour.engines.terrain import Ints, Terrain
from warptour.engines.window import Window
from warptour.strategies.team import shares
from warptour.strategies.threads import Crew, Tend


class Regions:
    """A copy of the tour per thread.

    Cities are numbered along a space-filling curve, so a range of numbers is a region. In each stretch of
    ``exchange`` kicks a thread kicks at cities of its own range only; then all changes are merged into one tour, from
    which the next stretch starts with other ranges. The result depends on no clock.
    """

    def __init__(self, terrain: Terrain, tour: Ints, crew: Crew, *, seed: int, paces: int, slack: float, exchange: int) -> None:
        self.terrain = terrain
        self.crew = crew
        self.seed = seed
        self.paces = paces
        self.slack = slack
        self.exchange = exchange
        walk = terrain.enter(tour)
        self.windows = [Window.whole(terrain, walk)]
        self.base = walk
        self.gain = 0.0
        self._offset = 0
        self._goals = [0]

    def advance(self, kicks_left: float, tend: Tend) -> None:
        """Let every thread work for one slice; ``kicks_left`` limits the kicks of all together."""
        if all(w.settled and w.kicks >= goal for w, goal in zip(self.windows, self._goals, strict=True)):
            self._exchange()
            goals = shares(kicks_left, self.exchange, len(self.windows))
            self._goals = [w.kicks + goal for w, goal in zip(self.windows, goals, strict=True)]
        self.crew.map(self._search, range(len(self.windows)))

    def _search(self, number: int) -> None:
        window, nodes = self.windows[number], self.terrain.nodes
        share = -(-nodes // len(self.windows))
        window.search(
            self._goals[number] - window.kicks,
            seed=self.seed,
            stream=number,
            paces=self.paces,
            slack=self.slack,
            region=((self._offset + number * share) % nodes, share),
        )

    def _exchange(self) -> None:
        """Merge all tours, best first, and let every thread go on from the outcome."""
        ranked = sorted(self.windows, key=lambda window: -window.gain)
        gain = ranked[0].gain
        if gain > 0:
            changed = [window.tour for window in ranked if window.gain > 0]
            tour, more = merge(self.terrain, self.base, changed)
            self.base = tour
            self.gain += gain + more
        while len(self.windows) < self.crew.threads:
            self.windows.append(Window(self.terrain, self.terrain.nodes))
        for window in self.windows:
            window.restart(self.base)
            window.gains[0] = 0
        self._offset = (self._offset + int(0.381966 * self.terrain.nodes)) % self.terrain.nodes

    @property
    def kicks(self) -> int:
        """Kicks of all threads."""
        return sum(window.kicks for window in self.windows)

    @property
    def looks(self) -> int:
        """Cities looked at by all threads."""
        return sum(window.looks for window in self.windows)

    def best(self) -> Ints:
        """Return the best tour, as the problem numbers cities."""
        best = max(self.windows, key=lambda window: window.gain)
        return self.terrain.leave(best.tour if best.gain > 0 else self.base)
