"""Any other program, by a command line with places for file, limit, seed and answer."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from warptour.compare.features import Feature
from warptour.compare.handover import COMMENT, NAME, Handed
from warptour.compare.peers.peer import Peer, PeerTask, existing
from warptour.io.write import write_problem
from warptour.model.errors import UsageError
from warptour.model.problem import TSP
from warptour.model.vehicles import VRP


class Template(Peer):
    """A program by a command such as ``solver {file} --time {seconds} --seed {seed} --out {output}``.

    It reads a TSPLIB or CVRPLIB file and writes a ``.tour`` or ``.sol``. With ``{threads}`` it has as many threads and
    wall seconds as warptour; without, one thread and the same CPU time.
    """

    kinds = ("tsp", "vrp")
    knows = frozenset(Feature) - {Feature.OPEN_PATH, Feature.FEWEST}
    """What a file says, and what no file can say is refused where it is written."""
    clock = "what the command makes of {seconds}"

    def __init__(self, name: str, command: str) -> None:
        self.name = name
        for place in ("{file}", "{output}"):
            if place not in command:
                raise UsageError(
                    f"--peer {name}: a command has {{file}} and {{output}}, and may have {{seconds}}, {{seed}} and "
                    f"{{threads}}; {place} is missing"
                )
        self.threaded = "{threads}" in command
        super().__init__(command)

    def find_program(self, command: str | None) -> list[str]:
        return existing(self.name, command or "")

    def hand_over(self, problem: TSP | VRP, folder: Path) -> Handed:
        file = folder / (f"{NAME}.vrp" if isinstance(problem, VRP) else f"{NAME}.tsp")
        write_problem(file, problem, COMMENT)
        return Handed(file)

    def command(self, task: PeerTask) -> Sequence[str]:
        values = {
            "{file}": str(task.handed.file), "{output}": str(task.output), "{seconds}": f"{task.budget:g}",
            "{seed}": str(task.seed), "{threads}": str(task.threads),
        }  # fmt: skip
        words = self.words
        for place, value in values.items():
            words = [word.replace(place, value) for word in words]
        return words
