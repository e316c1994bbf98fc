"""Other programs: how they are found, called and read. All are stand-ins, ``fake_peer.py``."""

import shlex
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import warptour as wt
from warptour.compare.pace import Pace
from warptour.compare.peers.filo2 import Filo2
from warptour.compare.peers.registry import PEERS, find_peer, find_peers
from warptour.compare.process import run_child
from warptour.compare.run import judge
from warptour.compare.theirs import Theirs
from warptour.model.clock import Clock
from warptour.model.metric import METRICS

FAKE = Path(__file__).resolve().parent.parent / "fake_peer.py"


def fake(role: str) -> str:
    return shlex.join([sys.executable, str(FAKE), role])


def solved(problem, text, folder, threads=2, grace=60.0, seconds=1.0):
    """One run of a program on a problem, judged."""
    theirs = Theirs(problem, find_peer(text), threads, grace, folder)
    return judge(problem, "case", theirs, seconds, 1, theirs.solve(seconds, 1))


@pytest.mark.parametrize("role", ["linkern", "LKH"])
def test_a_tour_is_read_and_costed_by_the_problem(role, tmp_path):
    problem = wt.read("uniform:30:1")
    run = solved(problem, f"{role}={fake(role.lower())}", tmp_path)
    assert run.cost == problem.cost(np.arange(30)) and run.note == "" and run.curve == []
    assert (run.solver, run.threads, run.limit) == (role, 1, "2 s CPU")


@pytest.mark.parametrize("role", ["HGS", "FILO2"])
def test_routes_are_read_and_costed_by_the_problem(role, tmp_path):
    problem = wt.read("vrp:20:1")
    run = solved(problem, f"{role}={fake(role.lower())}", tmp_path)
    assert run.cost == problem.cost([[node] for node in range(1, 20)]) and run.routes == 19


def test_routes_of_a_problem_whose_depot_is_not_the_first_node(tmp_path):
    plain = wt.read("vrp:9:1")
    order = np.array([3, 1, 2, 0, 4, 5, 6, 7, 8])
    moved = wt.VRP(
        "moved", plain.metric, plain.points[order], demands=plain.demands[order], capacity=plain.capacity, depot=3
    )
    runs = [
        solved(problem, f"hgs={fake('hgs')}", tmp_path / name)
        for name, problem in (("a", plain), ("b", moved))
    ]  # fmt: skip
    assert runs[0].cost == runs[1].cost
    points = [line.split()[1:] for line in (tmp_path / "b" / "instance.vrp").read_text().splitlines()][7:9]
    assert [list(map(float, point)) for point in points] == moved.points[[3, 0]].tolist()


def test_the_time_before_the_clock_of_lkh_is_taken_off(tmp_path):
    problem = wt.read("uniform:30:1")
    solved(problem, f"lkh={fake('lkh')}", tmp_path)
    logs = [(tmp_path / number / "log").read_text().splitlines()[1] for number in ("1", "2")]
    assert logs == ["limit 0 trials 1", "limit 1.25 trials 1000000000"]


def test_a_curve_counts_if_it_ends_at_the_cost_of_the_answer(tmp_path):
    problem = wt.VRP(
        "line", METRICS["EUC_2D"], np.array([[0, 0], [100, 0], [300, 0]]), demands=np.array([0, 1, 1]), capacity=1
    )
    run = solved(problem, f"hgs={fake('hgs')}", tmp_path)
    assert run.cost == 800 and run.curve == [(0.25, 900.0), (0.75, 800.0)]


def test_unrounded_distances_are_scaled_for_programs_with_integers(tmp_path):
    points = np.random.default_rng(1).random((20, 2))
    problem = wt.TSP("unit", METRICS["EUCLIDEAN"], points)
    run = solved(problem, f"linkern={fake('linkern')}", tmp_path)
    written = wt.read(str(tmp_path / "instance.tsp"))
    assert run.cost == problem.cost(np.arange(20))
    scale = 1e6 / np.ptp(points, axis=0).max()
    assert written.cost(np.arange(20)) == pytest.approx(scale * run.cost, rel=1e-5)


def test_iterations_are_chosen_by_what_they_take():
    asked = []

    def measure(iterations):
        asked.append(round(iterations))
        return None, 0.5 + 0.001 * iterations

    pace = Filo2(fake("filo2")).calibrate(20.0, measure)
    assert asked == [10, 500, 4582] and pace.budget(20.0) == pytest.approx(19500, rel=0.01)
    pace.learn(19500, 40.0)
    assert pace.budget(20.0) == pytest.approx(9630, rel=0.01)
    assert Pace(fixed=3.0).budget(2.0) == 0


def test_a_limit_on_wall_time_follows_the_cpu_time_of_the_run_before():
    pace = Pace.of_wall_time()
    assert pace.budget(20.0) == 20
    pace.learn(20.0, 10.0)
    assert pace.budget(20.0) == 40


def test_what_is_wrong_is_said_and_never_a_number(tmp_path):
    problem = wt.read("uniform:30:1")
    short = solved(problem, f"x={fake('short')} {{file}} {{output}}", tmp_path / "a")
    assert short.cost is None and short.note.startswith("infeasible: ")
    broken = solved(problem, f"x={fake('broken')} {{file}} {{output}}", tmp_path / "b")
    assert broken.cost is None and broken.note == "no answer: exit code 3 (no licence)"


def test_a_program_that_hangs_is_killed(tmp_path, monkeypatch):
    monkeypatch.setattr("os.getloadavg", lambda: (0.0, 0.0, 0.0))
    run = solved(wt.read("uniform:30:1"), f"x={fake('hang')} {{file}} {{output}}", tmp_path, grace=0.2, seconds=0.1)
    assert run.cost is None and run.note.startswith("no answer: killed after")


def test_a_program_too_slow_to_be_measured_is_not_tried_again(tmp_path, monkeypatch):
    monkeypatch.setattr("os.getloadavg", lambda: (0.0, 0.0, 0.0))
    theirs = Theirs(wt.read("uniform:30:1"), find_peer(f"lkh={fake('hang')}"), 1, 0.2, tmp_path)
    notes = {theirs.solve(0.1, seed).note for seed in (1, 2)}
    assert notes == {"no answer: a run to measure its speed was killed at its limit"}
    assert [path.name for path in tmp_path.iterdir() if path.is_dir()] == ["1"]


def test_what_a_killed_program_left_counts(tmp_path, monkeypatch):
    def killed(*arguments):
        return replace(run_child(*arguments), killed=True)

    monkeypatch.setattr("warptour.compare.theirs.run_child", killed)
    problem = wt.read("uniform:30:1")
    run = solved(problem, f"x={fake('plain')} {{file}} {{output}}", tmp_path)
    assert run.cost == problem.cost(np.arange(30)) and run.note.startswith("killed after")


def test_cpu_time_includes_what_a_program_starts(tmp_path):
    run = solved(wt.read("uniform:30:1"), f"x={fake('burn')} {{file}} {{output}}", tmp_path)
    assert run.cpu >= 0.4 and run.used == run.cpu / 2


def test_a_command_with_threads_has_those_of_the_comparison(tmp_path):
    run = solved(wt.read("vrp:9:1"), f"x={fake('plain')} {{file}} {{output}} {{threads}} {{seconds}}", tmp_path, 3)
    assert (run.threads, run.limit, run.used) == (3, "1 s", run.wall) and run.cost is not None


def test_what_a_program_cannot_solve_is_refused_before_it_runs(tmp_path):
    routes = wt.read("vrp:9:1")
    limited = wt.VRP(
        "limited", routes.metric, routes.points, demands=routes.demands, capacity=routes.capacity, max_distance=5000
    )
    path = wt.TSP("path", METRICS["EUC_2D"], routes.points, open=True)
    hours = replace(routes, clock=Clock(np.zeros(1), pace=1.0), max_duration=5000.0)
    cases = [("linkern", routes, "it is for tours"), ("hgs", path, "it is for vehicles"),
             ("linkern", path, "closed tours"), ("lkh", path, "closed tours"),
             ("filo2", limited, "no route limit"), ("hgs", hours, "no limit on durations"),
             ("hgs", routes.rounded("ceil"), "rounded to nearest")]  # fmt: skip
    for role, problem, reason in cases:
        run = solved(problem, f"{role}={fake(role)}", tmp_path / "never")
        assert run.note.startswith("refused: ") and reason in run.note
    assert not (tmp_path / "never").exists()


def test_a_missing_program_is_one_clear_line(monkeypatch):
    monkeypatch.setenv("PATH", "")
    for peer in PEERS:
        if peer.programs:
            with pytest.raises(wt.UsageError, match="is not on the PATH; give the program, peer"):
                find_peer(peer.name)
    for text, message in [
        ("nobody", "known are linkern, LKH"),
        ("lkh=/no/such/program", "there is no such program"),
        ("ails-ii", "say where its classes are"),
        ("ails-ii=/no/such/folder", "there is no such folder or jar"),
        ("x=solve {file}", "{output} is missing"),
        ("x=solve {file} {output}", "there is no such program"),
        (f"pyvrp={sys.executable} -S", "pip install pyvrp"),
    ]:
        with pytest.raises(wt.UsageError, match=message):
            find_peer(text)
    twice = f"hgs={fake('hgs')}"
    with pytest.raises(wt.UsageError, match="given twice"):
        find_peers([twice, twice])


MODULE = """
def find_tour(distances, duration_seconds):
    assert distances.max() <= 65535 and duration_seconds <= 2
    return range(len(distances))
"""


def test_a_python_module_runs_in_the_interpreter_that_has_it(tmp_path, monkeypatch):
    (tmp_path / "fast_tsp.py").write_text(MODULE)
    (tmp_path / "fast_tsp-9.1.dist-info").mkdir()
    (tmp_path / "fast_tsp-9.1.dist-info" / "METADATA").write_text("Name: fast-tsp\nVersion: 9.1\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    problem = wt.read("uniform:30:1")
    run = solved(problem, "fast_tsp", tmp_path / "run")
    assert (run.solver, run.version, run.cost) == ("fast-tsp", "9.1", problem.cost(np.arange(30)))


def test_no_module_of_the_current_folder_is_run(tmp_path, monkeypatch):
    (tmp_path / "elkai.py").write_text("open('ran', 'w')\n")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(wt.UsageError, match="pip install elkai"):
        find_peer("elkai")
    assert not (tmp_path / "ran").exists()
