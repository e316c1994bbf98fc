"""Members share the scans of one tour, and its moves are those of one device alone."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

from random_cities import cities
from warptour.cluster.crew import Crew
from warptour.cluster.links.link import Link, LostError
from warptour.cluster.links.threads import ThreadLink, hire
from warptour.cluster.messages import Beat, Halt, LoadRows, Quit, ScannedRows, ScanRows
from warptour.cluster.rows import server as row_server
from warptour.cluster.rows.rows import Rows
from warptour.cluster.rows.server import RowServer
from warptour.devices.cpu import Cpu
from warptour.model.problem import TSP
from warptour.observe.events import Event, Improved, Note
from warptour.papers.ermis.strategy.descent import Descent
from warptour.papers.oneil.strategy.hill import HillClimbing
from warptour.papers.rocki.strategy.ils import IteratedLocalSearch
from warptour.papers.scans import team
from warptour.papers.scans.runner import Order
from warptour.search.search import Search
from warptour.search.stop import Iterations, Seconds, Stop
from warptour.search.strategy import Strategy


@pytest.fixture(autouse=True)
def nobody_rests(monkeypatch: pytest.MonkeyPatch) -> None:
    """Has every scanner share every pass, however late it is: what fails must have its turn."""
    monkeypatch.setattr(team, "RESTED", 0)


HILL = HillClimbing(exact=True)
STRATEGIES: dict[str, Strategy] = {
    "hill": HILL,
    "descent": Descent(("2-opt", "or-opt", "3-opt"), quick=False, exact=True),
    "ils": IteratedLocalSearch(repair="all"),
}


def found(strategy: Strategy, problem: TSP, stop: Stop | None = None, **options: Any) -> tuple[Search[TSP], list[Any]]:
    """Return the search after a run, and its costs and tours one after another."""
    steps: list[Any] = []

    def listen(event: Event) -> None:
        if isinstance(event, Improved):
            steps.append((event.state.cost, event.solution.tolist()))

    search = Search(problem, stop or Iterations(40), start="random", listeners=[listen], **options)
    strategy.run(search)
    return search, steps


def with_members(strategy: Strategy, problem: TSP, links: list[Link], stop: Stop | None = None, **options: Any) -> Any:
    with Crew(links, timeout=options.pop("timeout", 60.0)) as crew:
        crew.gather()
        return found(Rows(strategy, crew, device="cpu", **options), problem, stop)


@pytest.mark.threads
@pytest.mark.parametrize("name", STRATEGIES)
def test_one_to_four_members_make_the_same_moves(name: str) -> None:
    strategy = STRATEGIES[name]
    for problem in (cities(90, "EUC_2D", side=12), cities(40, "EXPLICIT", side=50), cities(210, "EUCLIDEAN")):
        stop = Iterations({"hill": 25, "descent": 6, "ils": 2}[name])
        alone, expected = found(strategy, problem, stop, device=[Cpu(1), Cpu(1)])
        assert len(expected) > 1
        for members in range(1, 5):
            search, steps = with_members(strategy, problem, [hire(Cpu(1)) for _ in range(members)], stop)
            assert (search.best == alone.best).all()
            assert (search.iterations, search.moves) == (alone.iterations, alone.moves)
            assert name == "ils" or steps == expected  # what is reported between two kicks is up to the clock


def test_hill_climbing_with_members_is_that_of_exact_scans_on_one_device() -> None:
    problem = cities(300, "EUC_2D")
    alone, _ = found(HILL, problem, Iterations(10_000))
    shared, _ = with_members(HILL, problem, [hire(Cpu(1)), hire(Cpu(1))], Iterations(10_000))
    assert (shared.iterations, shared.moves) == (alone.iterations, alone.moves)
    assert (shared.best == alone.best).all()


def test_a_member_shares_its_rows_among_its_devices() -> None:
    problem = cities(230, "EUC_2D")
    _, expected = found(HILL, problem)
    with Crew([hire(name="both"), hire(name="one")]) as crew:
        crew.gather()
        _, steps = found(Rows(HILL, crew, threads=1, device="cpu,cpu"), problem)
    assert steps[-1] == expected[-1]


class Mortal:
    """A link to a thread that is lost, falls silent, or cannot be sent anything after some messages."""

    def __init__(self, messages: int, fate: str) -> None:
        self._link: ThreadLink = hire(Cpu(1))
        self.name = "mortal"
        self.sent = self.received = 0
        self._left = messages
        self._fate = fate

    @property
    def wake(self) -> Any:
        return self._link.wake

    @wake.setter
    def wake(self, call: Any) -> None:
        self._link.wake = call

    def send(self, message: object) -> None:
        if self._left < 0 and self._fate == "deaf":
            raise LostError("mortal is deaf")
        self._link.send(message)

    def receive(self, seconds: float) -> object | None:
        message = self._link.receive(seconds)
        if message is not None:
            self._left -= 1
        if self._left >= 0 or self._fate == "deaf":
            return message
        if self._fate == "silent":
            return None
        raise LostError("mortal has died")

    def close(self) -> None:
        self._link.send(Quit())


@pytest.mark.parametrize(("messages", "fate"), [(1, "lost"), (4, "lost"), (4, "silent"), (2, "deaf")])
def test_the_rows_of_a_lost_member_are_scanned_by_others(messages: int, fate: str) -> None:
    problem = cities(150, "EUC_2D", side=30)
    _, expected = found(HILL, problem, device=[Cpu(1), Cpu(1)])
    notes: list[str] = []
    with Crew([hire(Cpu(1)), Mortal(messages, fate), hire(Cpu(1))], timeout=0.05) as crew:
        crew.gather()
        search = Search(problem, Iterations(40), start="random", listeners=[lambda event: take(event, notes)])
        Rows(HILL, crew, device="cpu").run(search)
    assert search.best is not None
    assert search.best.tolist() == expected[-1][1]
    assert sum("mortal" in note for note in notes) == 1


def take(event: Event, notes: list[str]) -> None:
    if isinstance(event, Note):
        notes.append(event.text)


def test_without_any_member_the_coordinator_goes_on_alone() -> None:
    problem = cities(150, "EUC_2D", side=30)
    _, expected = found(HILL, problem, device=[Cpu(1), Cpu(1)])
    _, steps = with_members(HILL, problem, [Mortal(1, "lost"), Mortal(3, "lost")])
    assert steps == expected


def test_members_that_fail_say_why() -> None:
    notes: list[str] = []
    with Crew([hire(name="astray"), hire(Cpu(1))]) as crew:
        crew.gather()
        problem = cities(60)
        search = Search(problem, Iterations(5), start="random", listeners=[lambda event: take(event, notes)])
        Rows(HILL, crew, device="cuda:99").run(search)
    assert len(notes) == 1
    assert notes[0].startswith("astray has failed (no device cuda:99")


def test_a_search_that_ends_during_a_scan_ends() -> None:
    problem = cities(4000, "MAN_2D")
    search, _ = with_members(HILL, problem, [hire(Cpu(1)), hire(Cpu(1))], Seconds(0.3))
    assert search.over()
    assert problem.check(search.best).feasible


class Wire:
    """A link whose messages are given in advance."""

    name = "wire"
    sent = received = 0

    def __init__(self, *messages: object) -> None:
        self.messages = list(messages)
        self.answers: list[Any] = []

    def send(self, message: object) -> None:
        self.answers.append(message)

    def receive(self, seconds: float) -> object | None:
        return self.messages.pop(0) if self.messages else None

    def wake(self) -> None:
        """Nobody waits."""

    def close(self) -> None:
        """Nothing to close."""


@pytest.mark.parametrize("last", [Halt(7), Quit()])
def test_a_member_beats_while_it_scans_and_gives_up_when_told(last: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(row_server, "BEAT_SECONDS", 0.0)
    problem = cities(6000, "MAN_2D")
    wire = Wire(last)
    server = RowServer(wire, Cpu(1))
    assert not server.serve(LoadRows(7, problem, HILL, "rows", 1, "cpu"))
    order = Order(0, problem.n - 2, np.arange(problem.n, dtype=np.int32), (), 1.0, 0.0)
    assert server.serve(ScanRows(7, 1, order)) == isinstance(last, Quit)
    assert [type(answer) for answer in wire.answers] == [Beat, ScannedRows]


def test_a_step_takes_one_short_message_each_way() -> None:
    order = Order(10, 5000, None, ((17, 4711),), 1.0, 12.5)
    wire = Wire()
    server = RowServer(wire, Cpu(1))
    problem = cities(300)
    server.serve(LoadRows(1, problem, HILL, "edges", 1, "cpu"))
    server.serve(ScanRows(1, 1, Order(0, 300, np.arange(300, dtype=np.int32), (), 1.0, 0.0)))
    assert len(wire.answers) == 1
    assert len(pickle.dumps(ScanRows(1, 1, order))) < 400
    assert len(pickle.dumps(wire.answers[0])) < 1000
