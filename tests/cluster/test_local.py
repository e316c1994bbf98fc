"""Members that are processes, and what becomes of those that are killed, stopped or stuck."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from types import ModuleType

import numpy as np
import pytest

from cluster_work import PROBLEM, Scripted, do_all, heard, task
from warptour.cluster import crew as crew_module
from warptour.cluster.crew import Crew, Gone
from warptour.cluster.links import local
from warptour.cluster.links.link import LostError
from warptour.cluster.links.local import ProcessLink, hire, open_local
from warptour.cluster.links.open import open_cluster
from warptour.cluster.messages import Arrival, Beat, Done, Failed, Found, Halt, Hello
from warptour.model.errors import UsageError

KILLS = 5


@pytest.fixture(scope="module")
def pair() -> Iterator[Crew]:
    """Two processes, whole again for each test."""
    with open_cluster("local:2") as crew:
        yield crew


def pid(crew: Crew, rank: int) -> int:
    link = crew.members[rank].link
    assert isinstance(link, ProcessLink)
    return link.process.pid


def test_processes_do_tasks(pair: Crew, capfd: pytest.CaptureFixture[str]) -> None:
    before = [member.received for member in pair.members]
    answers, losses = do_all(pair, [task(number, "chatter") for number in range(6)])
    assert losses == []
    for number, answer in answers.items():
        assert isinstance(answer, Done)
        expected = np.random.default_rng(number).permutation(PROBLEM.n)
        np.testing.assert_array_equal(answer.solution, expected)
        assert answer.cost == PROBLEM.check(expected).cost
    for member, received in zip(pair.members, before, strict=True):
        assert member.sent > 1000
        assert member.received > received
    captured = capfd.readouterr()
    assert captured.err.count("a library that prints") <= 6
    assert captured.out == ""


def test_a_failure_is_an_answer(pair: Crew) -> None:
    answers, _ = do_all(pair, [task(0, "fail"), task(1)])
    assert isinstance(answers[0], Failed)
    assert answers[0].reason == "ValueError: no luck"
    assert isinstance(answers[1], Done)


def test_a_task_reports_hears_and_is_halted(pair: Crew) -> None:
    member = pair.members[0]
    pair.send(member, task(7, "wait", report_seconds=0.0))
    _, found = heard(pair, Found)
    pair.send(member, Arrival(7, found.solution, found.cost))
    pair.send(member, Halt(6))
    pair.send(member, Halt(7))
    whose, done = heard(pair, Done)
    assert whose is member
    assert done.cost == found.cost


def test_constructions_give_signs_of_life_and_are_halted(pair: Crew, monkeypatch: pytest.MonkeyPatch) -> None:
    member = pair.members[1]
    pair.send(member, task(8, "hurry"))
    beats = [heard(pair, Beat) for _ in range(2)]
    assert {whose.rank for whose, _ in beats} == {1}
    pair.send(member, Halt(8))
    assert heard(pair, Done)[1].number == 8


def test_a_killed_process_is_replaced(pair: Crew) -> None:
    member = pair.members[0]
    pair.send(member, task(1, "wait"))
    heard(pair, Beat)
    os.kill(pid(pair, 0), signal.SIGKILL)
    lost, gone = heard(pair, Gone)
    assert lost is member
    assert gone.reason == "process 0 was ended by signal 9"
    new = pair.replace(member)
    assert new is not None
    assert new.sent >= member.sent
    pair.send(new, task(2))
    assert heard(pair, Done)[1].number == 2


def test_kills_at_random_moments_lose_no_task(pair: Crew) -> None:
    rng = random.Random(1)
    over = threading.Event()

    def kill() -> None:
        for _ in range(KILLS):
            over.wait(rng.uniform(0.0, 0.8))
            link = pair.members[rng.randrange(2)].link
            assert isinstance(link, ProcessLink)
            link.process.kill()
        over.set()

    killer = threading.Thread(target=kill)
    killer.start()
    numbers, losses = 0, 0
    while not over.is_set() or numbers < 20:
        answers, reasons = do_all(pair, [task(number, "wait", 0.02) for number in range(numbers, numbers + 10)])
        assert all(isinstance(answer, Done) for answer in answers.values())
        numbers, losses = numbers + 10, losses + len(reasons)
    killer.join()
    assert losses >= 1
    for member, message in pair.hear(0.2):  # one that was killed when all was done
        assert isinstance(message, Gone)
        pair.replace(member)


def test_a_stopped_process_is_noticed_killed_and_replaced() -> None:
    with open_local(1, 1, timeout=1.2) as crew:
        crew.send(crew.members[0], task(1, "wait"))
        heard(crew, Beat)
        stopped = pid(crew, 0)
        os.kill(stopped, signal.SIGSTOP)
        big = np.zeros(10_000_000, np.uint8)
        crew.send(crew.members[0], Arrival(1, big, 0))
        member, gone = heard(crew, Gone)
        assert gone.reason == "process 0 has given no sign of life for 1.2 s"
        with pytest.raises(ProcessLookupError):
            os.kill(stopped, 0)
        new = crew.replace(member)
        assert new is not None
        crew.send(new, task(2, "hang"))
        _, gone = heard(crew, Gone)
        assert "no sign of life" in gone.reason


def test_an_idle_member_is_not_missed(pair: Crew, monkeypatch: pytest.MonkeyPatch) -> None:
    do_all(pair, [task(0), task(1)])
    monkeypatch.setattr(pair, "_timeout", 0.05)
    assert pair.hear(0.5) == []


def test_a_coordinator_that_was_busy_blames_nobody(pair: Crew, monkeypatch: pytest.MonkeyPatch) -> None:
    pair.send(pair.members[0], task(1, "wait", 0.5))
    heard(pair, Beat)
    monkeypatch.setattr(pair, "_timeout", 0.3)
    for member in pair.members:
        monkeypatch.setattr(member, "_looked_at", time.perf_counter() - 100)
    assert not any(isinstance(message, Gone) for _, message in pair.hear(0.0))
    monkeypatch.setattr(pair, "_timeout", 60)
    heard(pair, Done)


def test_a_class_that_members_cannot_import_is_one_line(pair: Crew, monkeypatch: pytest.MonkeyPatch) -> None:
    module = ModuleType("only_here")
    Private = type("Private", (Scripted,), {"__module__": "only_here"})
    module.Private = Private  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "only_here", module)
    pair.send(pair.members[0], Private())
    with pytest.raises(UsageError, match=r"process 0 cannot read what it was sent \(ModuleNotFoundError"):
        heard(pair, Done)
    do_all(pair, [task(0), task(1)])


def test_another_version_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("warptour.cluster.links.hello.hello", lambda: Hello("0.0.1", "", "", 1, (0,)))
    with pytest.raises(UsageError, match=r"process 0 has warptour .*, not 0.0.1: the same must be installed"):
        open_cluster("local:1")


def test_what_does_not_start_is_told_and_not_replaced_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local.sys, "executable", "/bin/false")
    with pytest.raises(LostError, match="process 0 ended with exit code 1"):
        open_cluster("local:1")
    with Crew([hire(0)], hire) as crew:
        starts = 1
        while True:
            member, _ = heard(crew, Gone)
            if crew.replace(member) is None:
                break
            starts += 1
    assert starts == crew_module.MAX_STILLBORN


def test_processes_are_out_of_reach_of_ctrl_c_and_end_with_their_coordinator() -> None:
    program = (
        "import os, sys; from warptour.cluster.links.open import open_cluster; crew = open_cluster('local:2');"
        "print(*(member.link.process.pid for member in crew.members), flush=True); crew.hear(60)"
    )
    places = os.pathsep.join(place or "." for place in sys.path)
    coordinator = subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, env={**os.environ, "PYTHONPATH": places}
    )
    assert coordinator.stdout is not None
    pids = [int(word) for word in coordinator.stdout.readline().split()]
    assert all(os.getpgid(one) != os.getpgid(coordinator.pid) for one in pids)
    coordinator.kill()
    coordinator.wait()
    coordinator.stdout.close()
    until = time.perf_counter() + 20
    while any(map(runs, pids)):
        assert time.perf_counter() < until, "processes outlived their coordinator"
        time.sleep(0.05)


def runs(one: int) -> bool:
    """Return whether a process runs; a zombie that nobody waits for does not."""
    try:
        with open(f"/proc/{one}/stat", encoding="ascii") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False
