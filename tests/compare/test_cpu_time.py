"""Equal CPU time: who is given how much, and what real processes take."""

import shlex
import sys
from pathlib import Path

import pytest

import warptour as wt
from warptour.compare import ours
from warptour.compare.ours import CpuSeconds
from warptour.compare.peers.registry import find_peer
from warptour.compare.plan import ComparisonPlan
from warptour.compare.process import run_child
from warptour.observe.events import State
from warptour.search.stop import Seconds

FAKE = Path(__file__).resolve().parent.parent / "fake_peer.py"
WITHIN = 1.6
"""CPU times that differ by less are equal here; one that is twice another is not."""

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows does not tell the CPU time of a child")


def peer(role, *more):
    command = shlex.join([sys.executable, str(FAKE), role])
    return find_peer(f"{role}={command} {' '.join(('{file}', '{output}', '{seconds}', *more))}")


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("by_cpu", [True, False])
def test_the_plan_gives_every_solver_the_same_cpu_seconds(threads, by_cpu, monkeypatch):
    stops, commands = [], []

    def solve(problem, strategy, *, stop, **options):
        assert options["threads"] == threads
        stops.append(stop)
        raise wt.WarptourError("asked only")

    def run(words, *others):
        commands.append(words[-2:])
        return run_child(words, *others)

    monkeypatch.setattr(ours.api, "solve", solve)
    monkeypatch.setattr("warptour.compare.theirs.run_child", run)
    problem = wt.read("uniform:30:1")
    peers = [peer("plain"), peer("plain", "{threads}")]
    plan = ComparisonPlan({"case": problem}, ["ils"], peers, ["cpu"], [2.0, 0.5], 1, threads, by_cpu)
    runs = list(plan.runs())
    batched = zip(commands[::2], commands[1::2], strict=True)
    for seconds, stop, (alone, together) in zip((2.0, 0.5), stops, batched, strict=True):
        if by_cpu:
            assert isinstance(stop, CpuSeconds) and (stop.seconds, stop.threads) == (seconds * threads, threads)
        else:
            assert isinstance(stop, Seconds) and stop.seconds == seconds
        assert float(alone[-1]) == seconds * threads  # on one thread
        assert [float(word) for word in together] == [seconds, threads]
    shown = [f"{2 * threads} s CPU" if by_cpu else "2 s", f"{2 * threads} s CPU", "2 s"]
    assert [run.limit for run in runs[:3]] == shown


OURS = """
import sys
import warptour as wt
from warptour.compare.ours import Ours
outcome = Ours(wt.read("uniform:3000:1"), "windows", "cpu", 2).solve(float(sys.argv[1]), 1)
print(outcome.cpu, outcome.used, outcome.note)
"""


def test_a_strategy_takes_the_cpu_time_it_is_given_on_two_threads(tmp_path):
    ended, told = {}, {}
    for seconds in (0.2, 1.2):
        log = tmp_path / str(seconds)
        ended[seconds] = run_child([sys.executable, "-c", OURS, str(seconds)], log, 600.0, 2)
        told[seconds] = [float(word) for word in log.read_text().split()]
    taken = ended[1.2].cpu - ended[0.2].cpu  # without what starting takes
    assert 2.0 / WITHIN < taken < 2.0 * WITHIN
    assert 2.4 / WITHIN < told[1.2][0] < 2.4 * WITHIN and told[1.2][1] == told[1.2][0] / 2


def test_another_program_takes_as_much_and_its_threads_are_counted(tmp_path):
    problem = wt.read("uniform:30:1")
    plan = ComparisonPlan({"case": problem}, [], [peer("spend")], ["cpu"], [1.0], 1, 2)
    (run,) = plan.runs()
    assert run.cost is not None and run.limit == "2 s CPU"
    assert 2.0 / WITHIN < run.cpu < 2.0 * WITHIN and run.used == run.cpu / 2


def test_seconds_left_follow_what_other_work_on_the_machine_leaves(monkeypatch):
    spent = iter([10.0, 10.0, 12.0, 18.0])
    monkeypatch.setattr(ours.time, "process_time", lambda: next(spent))
    stop = CpuSeconds(8.0, 4)
    assert stop.seconds_left(State(0.1, None, 0, 0)) == 2  # four threads
    assert stop.seconds_left(State(4.0, None, 0, 0)) == 12  # half a core
    assert stop.reached(State(9.0, None, 0, 0))
