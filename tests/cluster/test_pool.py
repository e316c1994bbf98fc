"""Jobs are done by members that are free, and an answer counts for its own job alone."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import pytest

from random_cities import cities
from warptour.cluster.crew import Crew
from warptour.cluster.islands.archipelago import Islands
from warptour.cluster.links.link import LostError
from warptour.cluster.messages import Beat, Done, Failed, Halt, Task
from warptour.cluster.pool import Job, TaskPool
from warptour.search.search import Search
from warptour.search.stop import Iterations, Seconds
from warptour.tours.strategy.windows import Windows

PROBLEM = cities(20)


class Scripted:
    """A member that keeps what it is sent, and says what a test puts into ``news``; an exception is its death."""

    name = "scripted"
    sent = received = 0

    def __init__(self) -> None:
        self.tasks: list[Task] = []
        self.halts: list[int] = []
        self.news: list[object] = []

    def send(self, message: object) -> None:
        if isinstance(message, Task):
            self.tasks.append(message)
        elif isinstance(message, Halt):
            self.halts.append(message.number)

    def receive(self, seconds: float) -> object | None:
        message = self.news.pop(0) if self.news else None
        if isinstance(message, Exception):
            raise message
        return message

    def close(self) -> None: ...


@dataclass(eq=False, kw_only=True)
class Plain(Job):
    def begin(self, search: Search[Any]) -> Task:
        return Task(0, PROBLEM, Windows(), None, 1, 1)


def done(task: Task) -> Done:
    return Done(task.number, None, None, 10, 100, 0.1, "cpu")


def pool_of(links: list[Scripted], max_attempts: float = math.inf, **options: Any) -> TaskPool[Plain]:
    search: Search[Any] = Search(PROBLEM, Iterations(1000))
    return TaskPool(Islands(Windows(), Crew(links, **options), threads=range(1, 1 + len(links))), search, max_attempts)


def test_jobs_are_done_at_home_where_they_can() -> None:
    links = [Scripted(), Scripted(), Scripted()]
    pool = pool_of(links)
    jobs = [Plain(home=rank) for rank in (2, 0, 7, 1)]
    pool.begin(jobs)
    pool.hand_out()
    assert [job.member and job.member.rank for job in jobs] == [2, 0, 1, None]
    assert [link.tasks[0].threads for link in links] == [1, 2, 3]
    links[1].news.append(done(links[1].tasks[0]))
    assert [(job, type(message)) for job, _, message in pool.hear()] == [(jobs[2], Done)]
    pool.hand_out()
    assert jobs[3].member is not None
    assert jobs[3].member.rank == 1


def test_a_late_answer_is_of_its_own_job() -> None:
    link = Scripted()
    pool = pool_of([link])
    late, job = Plain(home=0), Plain(home=0)
    pool.begin([late])
    pool.hand_out()
    pool.begin([job])
    pool.hand_out()
    assert len(link.tasks) == 1
    link.news.append(done(link.tasks[0]))
    assert [one for one, *_ in pool.hear()] == [late]
    pool.hand_out()
    link.news += [done(link.tasks[0]), done(link.tasks[1])]
    assert [one for one, *_ in pool.hear()] == [job]
    pool.count_done()
    assert not pool.goes_on


@pytest.mark.parametrize("news", [LostError("dead"), "failed"])
def test_a_job_is_begun_again_as_often_as_allowed(news: Any) -> None:
    link = Scripted()
    pool = pool_of([link, Scripted(), Scripted()], 2)
    job = Plain(home=0)
    pool.begin([job])
    for attempt in (1, 2):
        pool.hand_out()
        assert job.attempts == attempt
        own: Any = job.member and job.member.link
        own.news.append(Failed(job.number, "no", of_device=False) if news == "failed" else news)
        for lost, member, message in pool.hear():
            assert not pool.lose(lost, member, message)  # type: ignore[arg-type]
    assert pool.waiting == []
    assert len(pool.fit) == 1


def test_all_that_work_are_halted_at_the_end() -> None:
    links = [Scripted(), Scripted()]
    pool = pool_of(links)
    pool.begin([Plain(home=1)])
    pool.hand_out()
    assert list(pool.collect(0.05)) == []
    assert [link.halts for link in links] == [[], [links[1].tasks[0].number]]


def test_members_that_take_over_an_island_do_what_is_left_of_it() -> None:
    tasks: list[Task] = []

    class Fleeting(Scripted):
        """Does 100 iterations of a task, and dies."""

        def send(self, message: object) -> None:
            if isinstance(message, Task):
                tasks.append(message)
                self.news += [Beat(message.number, 100, 0, None), LostError("dead")]

    search: Search[Any] = Search(PROBLEM, Iterations(1000) | Seconds(60))
    Islands(Windows(), Crew([Fleeting()], lambda rank: Fleeting())).run(search)
    assert [task.iterations for task in tasks] == list(range(1000, 0, -100))
    assert search.iterations == 1000
