"""Interrupted runs keep the best solution; killed ones keep their checkpoint."""

import json
import signal
import subprocess
import sys
import time

import pytest

import warptour as wt

LONG = ["--seconds", "3600"]


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_ends_the_run_with_the_best_tour(begin, tmp_path, number, code):
    process = begin("solve", "uniform:500:1", *LONG, "--json", "-o", "a.tour", "--trace", "t.jsonl")
    process.wait_for(tmp_path / "t.jsonl")
    process.send(number)
    done = process.end()
    assert done.code == code, done.err
    assert done.json["interrupted"] is True and "Traceback" not in done.err
    report = wt.check(wt.read("uniform:500:1"), tmp_path / "a.tour")
    assert report.feasible and report.cost == done.json["cost"]


def test_a_signal_at_any_moment_gives_no_traceback(begin, tmp_path):
    for delay in (0.3, 0.6, 0.9, 1.2):
        process = begin("solve", "uniform:200000:1", *LONG, "--json", "-o", "a.tour")
        time.sleep(delay)
        process.send(signal.SIGTERM)
        done = process.end()
        if done.code != -signal.SIGTERM:  # the interpreter itself was still starting
            assert done.code == 143 and "Traceback" not in done.err
            assert done.out == "" or json.loads(done.out)["interrupted"] is True


DEAF = """
import sys
import time
import warptour.cli
import warptour.observe.interrupt as interrupt
import warptour.tours.strategy.windows as windows
from warptour.tours.starts.start import start

def deaf(self, search):
    search.offer(start(search.problem, "file"))
    print("searching", flush=True)
    while not search.interrupted:
        time.sleep(0.01)
    print("interrupted", flush=True)
    sys.stdin.read()

interrupt.ECHO_SECONDS = float(sys.argv[1])
windows.Windows.run = deaf
warptour.cli.main(["solve", "uniform:50:1", "--quiet"])
"""


@pytest.fixture
def interrupted():
    """Start a search that does not listen, with a time within which signals are one keystroke, and press Ctrl-C."""
    started = []

    def interrupted(echo_seconds):
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        process = subprocess.Popen([sys.executable, "-c", DEAF, str(echo_seconds)], text=True, **pipes)
        started.append(process)
        assert process.stdout.readline() == "searching\n"
        process.send_signal(signal.SIGINT)
        assert process.stdout.readline() == "interrupted\n"
        return process

    yield interrupted
    for process in started:
        process.kill()
        process.communicate()


def test_a_second_ctrl_c_ends_a_search_that_does_not_listen(interrupted):
    process = interrupted(-1.0)
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=900) == 130


def test_the_same_keystroke_passed_on_twice_lets_the_search_end(interrupted):
    process = interrupted(1e9)
    process.send_signal(signal.SIGINT)
    process.communicate("now it ends by itself", timeout=900)
    assert process.returncode == 130


def test_a_run_in_the_background_hears_ctrl_c_too(tmp_path):
    script = (
        f'"{sys.executable}" -m warptour solve uniform:500:1 --seconds 3600 --quiet -o a.tour --trace t.jsonl & '
        "while [ ! -s t.jsonl ] && kill -0 $!; do sleep 0.05; done; kill -INT $!; wait $!"
    )
    assert subprocess.run(["sh", "-c", script], cwd=tmp_path, timeout=900).returncode == 130
    assert (tmp_path / "a.tour").exists()


def test_a_killed_run_goes_on_from_its_checkpoint(begin, call, tmp_path):
    process = begin("solve", "uniform:500:1", *LONG, "--checkpoint", "a.ckpt", "--trace", "t.jsonl")
    process.wait_for(tmp_path / "a.ckpt")
    process.kill()
    lines = [json.loads(line) for line in (tmp_path / "t.jsonl").read_text().split("\n")[:-1]]
    first = next(line for line in lines if line["event"] == "improvement")
    done = call("solve", "uniform:500:1", "--iterations", "0", "--resume", "a.ckpt", "--json", "-o", "a.tour")
    assert done.code == 0, done.err
    assert done.json["cost"] <= first["cost"]
    assert call("check", "uniform:500:1", "a.tour", "--json").json["cost"] == done.json["cost"]


def test_kills_at_random_moments_always_leave_a_whole_checkpoint(begin, call, tmp_path):
    for delay in (0.0, 0.013, 0.171, 0.42):
        options = ["--resume", "a.ckpt"] if (tmp_path / "a.ckpt").exists() else []
        process = begin("solve", "uniform:5000:1", *LONG, "--checkpoint", "a.ckpt", "--trace", "t.jsonl", *options)
        process.wait_for(tmp_path / "t.jsonl")
        time.sleep(delay)
        process.kill()
        (tmp_path / "t.jsonl").unlink()
        if (tmp_path / "a.ckpt").exists():
            assert call("solve", "uniform:5000:1", "--iterations", "0", "--resume", "a.ckpt", "--json").code == 0


def test_an_interrupted_run_saves_its_checkpoint(begin, call, tmp_path):
    process = begin("solve", "uniform:500:1", *LONG, "--checkpoint", "a.ckpt", "--trace", "t.jsonl", "--json")
    process.wait_for(tmp_path / "t.jsonl")
    time.sleep(0.3)
    process.send(signal.SIGINT)
    cost = process.end().json["cost"]
    resumed = call("solve", "uniform:500:1", "--iterations", "0", "--resume", "a.ckpt", "--json")
    assert resumed.json["cost"] == cost


def test_a_checkpoint_of_another_problem_is_refused(call):
    assert call("solve", "uniform:50:1", "--seconds", "0.2", "--checkpoint", "a.ckpt").code == 0
    assert "another problem" in call("solve", "uniform:50:2", "--resume", "a.ckpt").fault
    assert "another problem" in call("solve", "uniform:50:1", "--open", "--resume", "a.ckpt").fault
