"""Strategies and a coordinator for tests of clusters; members import this module too."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from warptour.cluster.crew import Crew, Gone, Member
from warptour.cluster.messages import Done, Failed, Task
from warptour.io.generate import generate
from warptour.search.search import Search
from warptour.search.strategy import Strategy

PROBLEM = generate("uniform", 300, 1)


@dataclass(frozen=True)
class Scripted(Strategy):
    """Does what its word says: shuffle, wait, chatter, fail, hang or hurry."""

    word: str = "shuffle"
    seconds: float = 0.0
    name: ClassVar[str] = "scripted"
    iteration: ClassVar[str] = "shuffles"

    def refuses(self, problem: object) -> str | None:
        return None

    def runs_on(self, problem: object) -> tuple[str, ...]:
        return ("cpu",)

    def run(self, search: Search[Any]) -> None:
        rng = np.random.default_rng(search.seed)
        search.offer(rng.permutation(search.problem.n).astype(np.int32))
        search.count(1)
        if self.word == "chatter":
            print("a library that prints")
        elif self.word == "fail":
            raise ValueError("no luck")
        elif self.word == "hang":
            search.over()
            time.sleep(3600)
        elif self.word == "hurry":
            while not search.hurried():
                time.sleep(0.01)
        elif self.word == "wait":
            until = time.perf_counter() + self.seconds
            while not search.over() and time.perf_counter() < until:
                time.sleep(0.01)


def task(number: int = 0, word: str = "shuffle", seconds: float = 3600.0, **options: Any) -> Task:
    return Task(number, PROBLEM, Scripted(word, seconds), None, number, 1, "cpu", **options)


def heard(crew: Crew, kind: type, seconds: float = 300.0) -> tuple[Member, Any]:
    """Return the next message of a kind, and whose it is."""
    until = time.perf_counter() + seconds
    while time.perf_counter() < until:
        for member, message in crew.hear(0.5):
            if isinstance(message, kind):
                return member, message
    raise AssertionError(f"no {kind.__name__} within {seconds} s")


def do_all(crew: Crew, tasks: list[Task], seconds: float = 60.0) -> tuple[dict[int, Done | Failed], list[str]]:
    """Return the answers to all tasks, whoever is lost meanwhile, and the reasons of losses."""
    waiting, answers, losses = list(tasks), {}, []
    for member in crew.present:
        if waiting:
            crew.send(member, waiting.pop(0))
    until = time.perf_counter() + seconds
    while len(answers) < len(tasks):
        assert time.perf_counter() < until, f"{len(answers)} of {len(tasks)} tasks were done; lost: {losses}"
        for member, message in crew.hear(0.5):
            free: Member | None = None
            if isinstance(message, Done | Failed):
                answers[message.number], free = message, member
            elif isinstance(message, Gone):
                losses.append(message.reason)
                if member.task is not None and member.task.number not in answers:
                    waiting.insert(0, member.task)
                free = crew.replace(member)
            if free is not None and waiting:
                crew.send(free, waiting.pop(0))
    return answers, losses
