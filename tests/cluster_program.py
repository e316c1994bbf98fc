"""A program for mpiexec: every rank runs it; rank 0 has the others do tasks.

``python cluster_program.py MODE``: ``spmd`` returns the costs of tasks on all ranks and prints them there, twice, the
second time with messages cut into many pieces; ``fail`` raises on rank 0; ``wait`` searches until a signal, as the
command line does, and writes the file RESULT once.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from typing import NoReturn

from cluster_work import do_all, task
from warptour.cluster.links import mpi, ranks
from warptour.cluster.links.open import open_cluster
from warptour.cluster.messages import Done, Found, Halt
from warptour.model.errors import UsageError
from warptour.observe.interrupt import Interrupt, give_up


def costs() -> list[object]:
    with open_cluster("mpi", threads=1) as crew:
        answers, losses = do_all(crew, [task(number, "wait", 0.2) for number in range(2 * len(crew.members))])
        traffic = [member.sent > 0 for member in crew.members]
        return [losses, [answers[number].cost for number in sorted(answers)], traffic, crew.remark]  # type: ignore[union-attr]


def fail() -> NoReturn:
    raise UsageError("rank 0 says no")


def until_signalled(result: str) -> None:
    received: list[int] = []
    with open_cluster("mpi", threads=1) as crew:
        crew.on_signal = received.append
        signals.redirect(lambda: received.append(0))
        for member in crew.members:
            crew.send(member, task(member.rank, "wait", report_seconds=0.0))
        best: dict[type, dict[int, float]] = {Found: {}, Done: {}}
        while len(best[Done]) < len(crew.present):
            for member, message in crew.hear(0.05):
                if isinstance(message, Found | Done):
                    best[type(message)][member.rank] = message.cost
                    if isinstance(message, Found) and len(best[Found]) == len(crew.members):
                        print("started", flush=True)
            for member in crew.members if received else ():
                crew.send(member, Halt(member.rank))
    with open(result, "a", encoding="ascii") as file:
        file.write(json.dumps({"cost": min(best[Done].values()), "at": time.time()}) + "\n")


if __name__ == "__main__":
    mode = sys.argv[1]
    with Interrupt(signal.SIGINT, signal.SIGTERM, action=give_up) as signals:
        if mode == "fail":
            try:
                mpi.everywhere(fail, signals)
            except UsageError as error:
                sys.stdout.write(f"{error}\n")
        elif mode == "wait":
            sys.stdout.write(f"pid {mpi.rank()} {os.getpid()}\n")  # a word at a time would mix with others
            sys.stdout.flush()
            mpi.serve_if_member(signals)
            mpi.everywhere(lambda: until_signalled(sys.argv[2]), signals)
        else:
            for _ in range(2):
                sys.stdout.write(json.dumps(mpi.everywhere(costs, signals)) + "\n")
                ranks.PIECE_BYTES, ranks.SHORT_BYTES = 700, 100
    mpi.end(0 if signals.received is None or mpi.rank() else 128 + signals.received)
