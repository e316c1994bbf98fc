"""HGS-CVRP (Vidal, 2022)."""

from __future__ import annotations

from collections.abc import Sequence

from warptour.compare.features import Feature
from warptour.compare.peers.peer import Peer, PeerTask
from warptour.compare.run import Curve
from warptour.model.vehicles import VRP


class Hgs(Peer):
    """``hgs``, with route limits, one service time for all customers, and a number of vehicles."""

    name = "HGS"
    kinds = ("vrp",)
    knows = frozenset({Feature.UNROUNDED, Feature.FLEET, Feature.LENGTH_LIMIT})
    programs = ("hgs", "hgs-cvrp", "genvrp")

    def command(self, task: PeerTask) -> Sequence[str]:
        assert isinstance(task.problem, VRP)
        rounded = "1" if task.problem.metric.integral else "0"
        fleet = [] if task.problem.vehicles is None else ["-veh", str(task.problem.vehicles)]
        limits = ["-t", f"{task.budget:g}", "-seed", str(task.seed), "-round", rounded, "-log", "0", *fleet]
        return [*self.words, str(task.handed.file), str(task.output), *limits]

    def curve(self, task: PeerTask) -> Curve:
        """Return the progress that it writes: lines of instance, seed, cost and seconds."""
        file = task.output.with_name(task.output.name + ".PG.csv")
        if not file.exists():
            return []
        rows = [line.split(";") for line in file.read_text(encoding="utf-8", errors="replace").splitlines()]
        return [(float(row[3]), float(row[2])) for row in rows if len(row) == 4]
