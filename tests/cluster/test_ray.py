"""Members that are actors of Ray; skipped without it. It takes half a minute."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from cluster_work import do_all, heard, task
from warptour.cluster.crew import Crew, Gone
from warptour.cluster.links.open import open_cluster
from warptour.cluster.messages import Beat, Done
from warptour.model.errors import MissingLibrary, UsageError

pytestmark = pytest.mark.heavy


@pytest.fixture(scope="module")
def ray() -> Iterator[Any]:
    library = pytest.importorskip("ray")
    places = os.pathsep.join(place or "." for place in sys.path)
    environment = {"env_vars": {"PYTHONPATH": places}}
    library.init("local", num_cpus=2, include_dashboard=False, log_to_driver=False, runtime_env=environment)
    yield library
    library.shutdown()


@pytest.fixture(scope="module")
def pair(ray: Any) -> Iterator[Crew]:
    with open_cluster("ray", threads=1) as crew:
        yield crew
    assert ray.is_initialized(), "what others started goes on"


def test_actors_do_tasks(pair: Crew) -> None:
    assert len(pair.members) == 2
    answers, losses = do_all(pair, [task(number) for number in range(6)])
    assert losses == []
    assert all(isinstance(answer, Done) for answer in answers.values())
    assert all(member.sent > 1000 < member.received for member in pair.members)


def test_a_killed_actor_is_replaced(pair: Crew) -> None:
    pair.send(pair.members[0], task(1, "wait"))
    member, _ = heard(pair, Beat)
    assert member.rank == 0
    found = subprocess.run(["pgrep", "-P", _raylet(), "-f", "ray::Seat"], capture_output=True, text=True, check=True)
    for pid in found.stdout.split():
        os.kill(int(pid), signal.SIGKILL)
    for _ in range(2):
        lost, gone = heard(pair, Gone)
        assert gone.reason == f"actor {lost.rank}: its actor or node has gone"
        assert pair.replace(lost) is not None
    answers, _ = do_all(pair, [task(2), task(3)])
    assert set(answers) == {2, 3}


def test_more_threads_than_any_node_has_are_refused(ray: Any) -> None:
    with pytest.raises(UsageError, match="no node of Ray has 3 CPUs; they have 2"):
        open_cluster("ray", threads=3)


def test_nobody_at_an_address_is_told_at_once() -> None:
    pytest.importorskip("ray")
    program = "from warptour.cluster.links.open import open_cluster; open_cluster('ray:127.0.0.1:1')"
    places = os.pathsep.join(place or "." for place in sys.path)
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONPATH": places},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert "UsageError: there is no Ray at 127.0.0.1:1" in done.stderr


def test_without_ray_there_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(MissingLibrary, match=r"pip install 'warptour\[ray\]'"):
        open_cluster("ray")


def _raylet() -> str:
    """Return the process that started the actors: a child of this one."""
    children = ["pgrep", "-P", str(os.getpid()), "-f", "raylet/raylet"]
    return subprocess.run(children, capture_output=True, text=True, check=True).stdout.split()[0]
