"""Whatever fails, the best solution reaches somewhere, every other output is tried, and the exit code tells."""

import errno
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import warptour as wt
from warptour.io.solution import FORMATS
from warptour.routes.strategy.route_improvement import RouteImprovement
from warptour.tours.starts.start import start
from warptour.tours.strategy.windows import Windows

SOLVE = ["solve", "uniform:60:1", "--iterations", "50"]
PROGRAM = [sys.executable, "-m", "warptour"]
full = pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")


def is_tour(path):
    return wt.check(wt.read("uniform:60:1"), path).feasible


@pytest.fixture
def no_room(monkeypatch):
    """Let every disk be full."""

    def fsync(descriptor):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("warptour.io.files.os.fsync", fsync)


@pytest.fixture
def ends_by(monkeypatch):
    """Let searches end by an error as soon as they have a tour."""

    def ends_by(error):
        def run(self, search):
            search.offer(start(search.problem, "greedy"))
            raise error

        monkeypatch.setattr(Windows, "run", run)

    return ends_by


@pytest.mark.parametrize(
    ("error", "code", "words"),
    [
        (MemoryError(), 71, "the search ended early: there is not enough memory"),
        (MemoryError("Unable to allocate 9 GiB"), 71, "Unable to allocate 9 GiB"),
        (RuntimeError("can't start new thread"), 71, "starts no more threads"),
        (OSError(errno.EMFILE, "Too many open files"), 71, "Too many open files"),
        (IndexError("list index out of range"), 70, "please report it (IndexError: list index out of range)"),
    ],
    ids=repr,
)
def test_a_search_that_fails_keeps_its_best_tour(call, tmp_path, ends_by, error, code, words):
    ends_by(error)
    done = call(*SOLVE, "--json", "-o", "a.tour", "--plot", "a.svg", "--checkpoint", "a.ckpt", "--trace", "a.jsonl")
    assert done.code == code and done.err.count("\n") == 1 and words in done.err
    assert done.json["feasible"] and done.json["output"] == "a.tour"
    assert is_tour(tmp_path / "a.tour") and (tmp_path / "a.svg").exists()
    assert call(*SOLVE[:2], "--iterations", "0", "--resume", "a.ckpt", "--json").code == code


def test_routes_that_break_a_limit_are_kept_as_well(call, tmp_path, monkeypatch):
    def run(self, search):
        search.remember_infeasible([search.problem.customers])
        raise MemoryError

    monkeypatch.setattr(RouteImprovement, "run", run)
    call("generate", "vrp", "40", "-o", "a.vrp")
    done = call("solve", "a.vrp", "--json", "-o", "a.sol")
    assert done.code == 1 and done.json["feasible"] is False and (tmp_path / "a.sol").exists()
    assert "not enough memory" in done.err


def test_without_a_tour_the_shortage_is_all_there_is_to_say(call, monkeypatch):
    def run(self, search):
        raise MemoryError

    monkeypatch.setattr(Windows, "run", run)
    done = call(*SOLVE, "--json")
    assert done.code == 71 and done.fault == "there is not enough memory"


@full
def test_a_tour_that_cannot_be_written_goes_beside_its_place(call, tmp_path):
    (tmp_path / "a.tour").symlink_to("/dev/full")
    done = call(*SOLVE, "--json", "-o", "a.tour", "--plot", "a.svg")
    assert done.code == 74 and done.err.count("\n") == 1 and "No space left" in done.err
    other = done.json["output"]
    assert other in done.err and other.startswith("a-") and is_tour(tmp_path / other)
    assert (tmp_path / "a.svg").exists()
    assert "a-" in call(*SOLVE, "-o", "a.tour").out


@full
def test_a_picture_that_cannot_be_drawn_costs_nothing_else(call, tmp_path):
    (tmp_path / "a.svg").symlink_to("/dev/full")
    done = call(*SOLVE, "--json", "-o", "a.tour", "--plot", "a.svg")
    assert done.code == 74 and "cannot write a.svg: No space left" in done.err
    assert done.json["output"] == "a.tour" and is_tour(tmp_path / "a.tour")


@full
def test_a_checkpoint_that_cannot_be_written_is_replaced_by_a_tour(call, tmp_path):
    (tmp_path / "a.ckpt").symlink_to("/dev/full")
    done = call(*SOLVE, "--json", "--checkpoint", "./a.ckpt")
    assert done.code == 74 and "a.ckpt" in done.err and is_tour(tmp_path / done.json["output"])
    with_output = call(*SOLVE, "--json", "--checkpoint", "a.ckpt", "-o", "a.tour")
    assert with_output.code == 74 and with_output.json["output"] == "a.tour"


@full
def test_a_trace_that_ends_early_is_told(call, tmp_path):
    (tmp_path / "a.jsonl").symlink_to("/dev/full")
    done = call(*SOLVE, "--json", "--trace", "a.jsonl", "-o", "a.tour")
    assert done.code == 74 and "a.jsonl" in done.err and is_tour(tmp_path / "a.tour")


@full
def test_tours_that_end_early_are_told(call, tmp_path):
    (tmp_path / "a.jsonl.tours").symlink_to("/dev/full")
    done = call(*SOLVE, "--json", "--trace", "a.jsonl", "--tours", "-o", "a.tour")
    assert done.code == 74 and "a.jsonl.tours: the tours end here" in done.err and is_tour(tmp_path / "a.tour")
    assert '"event": "end"' in (tmp_path / "a.jsonl").read_text()


def test_full_disks_leave_no_empty_files_and_the_tour_is_printed(call, tmp_path, no_room):
    done = call(*SOLVE, "--json", "-o", "a.tour", "--plot", "a.svg")
    assert done.code == 74 and done.json["output"] is None and done.json["feasible"]
    assert "a.tour: No space left" in done.err and "a.svg: No space left" in done.err
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "printed.tour").write_text(done.err[done.err.index("NAME") : done.err.index("EOF")])
    assert is_tour(tmp_path / "printed.tour")


@full
def test_the_message_names_the_checkpoint_that_holds_the_solution(call, tmp_path, monkeypatch):
    monkeypatch.setattr("warptour.cli.output._shelters", lambda name: [tmp_path / "nowhere"])
    (tmp_path / "a.tour").symlink_to("/dev/full")
    done = call(*SOLVE, "--json", "-o", "a.tour", "--checkpoint", "a.ckpt")
    assert done.code == 74 and "is in a.ckpt" in done.err


def test_a_fault_in_one_writer_costs_nothing_else(call, tmp_path, monkeypatch):
    def broken(*arguments):
        raise IndexError("oops")

    monkeypatch.setattr("warptour.cli.pictures.write_plot", broken)
    monkeypatch.setitem(FORMATS, ".csv", (("tsp",), broken))
    done = call(*SOLVE, "--json", "-o", "a.csv", "--plot", "a.svg")
    assert done.code == 74 and done.err.count("oops") == 2
    assert done.json["output"].endswith(".tour") and is_tour(tmp_path / done.json["output"])


def test_other_commands_tell_too(call, no_room):
    assert call("generate", "uniform", "9", "-o", "a.tsp").code == 74
    done = call("demo", "--seconds", "0.1")
    assert done.code == 74 and "cost" in done.out


def test_a_tour_goes_through_a_link_and_into_a_pipe(call, tmp_path):
    (tmp_path / "real.tour").write_text("old")
    (tmp_path / "link.tour").symlink_to("real.tour")
    assert call(*SOLVE, "-o", "link.tour").code == 0
    assert (tmp_path / "link.tour").is_symlink() and is_tour(tmp_path / "real.tour")
    os.mkfifo(tmp_path / "pipe.tour")
    with subprocess.Popen(["cat", "pipe.tour"], cwd=tmp_path, stdout=subprocess.PIPE) as reader:
        assert call(*SOLVE, "-o", "pipe.tour").code == 0
        assert b"TOUR_SECTION" in reader.communicate()[0]
    assert (tmp_path / "pipe.tour").is_fifo()


def shell(command, folder):
    """Run a line of shell in which ``warptour`` is the program."""
    return subprocess.run(
        ["sh", "-c", command.replace("warptour", " ".join(PROGRAM))],
        cwd=folder, capture_output=True, text=True, timeout=120,
    )  # fmt: skip


@pytest.mark.parametrize("redirection", [">&-", pytest.param(">/dev/full", marks=full)])
def test_json_that_cannot_be_printed(tmp_path, redirection):
    done = shell(f"warptour {' '.join(SOLVE)} --json -o a.tour {redirection}", tmp_path)
    assert done.returncode == 74 and done.stderr.count("\n") == 1 and "standard output" in done.stderr
    assert is_tour(tmp_path / "a.tour")
    assert shell(f"warptour info uniform:9:1 --json {redirection}", tmp_path).returncode == 74


@full
def test_a_summary_that_cannot_be_printed(tmp_path):
    done = shell(f"warptour {' '.join(SOLVE)} -q -o a.tour >/dev/full", tmp_path)
    assert done.returncode == 0
    done = shell(f"warptour {' '.join(SOLVE)} -o a.tour >/dev/full", tmp_path)
    assert done.returncode == 74 and "Traceback" not in done.stderr and "Exception" not in done.stderr


def test_json_that_nobody_reads(tmp_path):
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run(
        [*PROGRAM, *SOLVE, "--json", "-o", "a.tour"],
        stdout=write, stderr=subprocess.PIPE, cwd=tmp_path, timeout=120,
    )  # fmt: skip
    os.close(write)
    assert (done.returncode, done.stderr) == (141, b"") and is_tour(tmp_path / "a.tour")


@pytest.mark.parametrize("redirection", ["2>&-", pytest.param("2>/dev/full", marks=full)])
def test_a_fault_that_cannot_be_told_keeps_its_exit_code(tmp_path, redirection):
    (tmp_path / "bad.tsp").write_text("hello\n")
    done = shell(f"warptour solve bad.tsp --json {redirection}", tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    done = shell(f"warptour {' '.join(SOLVE)} --json -o a.tour {redirection}", tmp_path)
    assert done.returncode == 0 and done.stdout.count("\n") == 1


def test_files_do_not_take_the_numbers_of_closed_streams(tmp_path):
    script = "import os, warptour.cli\n"
    script += "warptour.cli._occupy_standard_descriptors()\n"
    script += "os._exit(os.open('file', os.O_CREAT | os.O_WRONLY))"
    command = f'{sys.executable} -c "{script}" <&- >&- 2>&-'
    assert subprocess.run(["sh", "-c", command], cwd=tmp_path, timeout=120).returncode > 2


HANG_UP = """
import signal, sys
import warptour.cli
import warptour.observe.interrupt as interrupt
import warptour.tours.strategy.windows as windows
from warptour.tours.starts.start import start

def run(self, search):
    search.offer(start(search.problem, "greedy"))
    for _ in range(3):
        signal.raise_signal(signal.SIGHUP)

interrupt.ECHO_SECONDS = -1.0
windows.Windows.run = run
warptour.cli.main(["solve", "uniform:60:1", "--json", "-o", "a.tour"])
"""


def test_hanging_up_ends_the_run_with_the_best_tour_however_often_it_is_told(tmp_path):
    done = subprocess.run([sys.executable, "-c", HANG_UP], cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert done.returncode == 129, done.stderr
    assert is_tour(tmp_path / "a.tour") and '"interrupted": true' in done.stdout


def test_what_is_run_by_nohup_does_not_hear_the_terminal_go(tmp_path):
    ignore = "import signal; signal.signal(signal.SIGHUP, signal.SIG_IGN)\n"
    script = ignore + HANG_UP.replace("ECHO_SECONDS = -1.0", "ECHO_SECONDS = 1e9")
    done = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0 and '"interrupted": false' in done.stdout


EARLY = """
import runpy, signal, sys

class Signal:
    def find_spec(self, name, path=None, target=None):
        if name == {module!r}:
            signal.raise_signal({number})

sys.meta_path.insert(0, Signal())
sys.argv = ["warptour", "solve", "uniform:60:1", "-q"]
{start}
"""
STARTS = {
    "python -m warptour": "runpy.run_module('warptour', run_name='__main__', alter_sys=True)",
    "warptour": "from warptour.__main__ import main; main()",
}


MOMENTS = ["numpy", "numpy.linalg", "warptour.cli.solve", "warptour.api"]
SIGNALS = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]


@pytest.mark.parametrize(  # every pair of the three
    ("module", "number", "how"),
    [(module, number, [*STARTS][(i + j) % 2]) for i, module in enumerate(MOMENTS) for j, number in enumerate(SIGNALS)],
)
def test_a_signal_while_modules_are_imported_gives_no_traceback(module, number, how):
    script = EARLY.format(module=module, number=int(number), start=STARTS[how])
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stdout) == (128 + number, "")
    assert done.stderr == "warptour: interrupted before there was a first solution\n"


@pytest.mark.parametrize("how", STARTS)
def test_ctrl_c_before_that_gives_no_traceback_either(how):
    script = EARLY.format(module="warptour.cli", number=int(signal.SIGINT), start=STARTS[how])
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


@full
def test_a_file_that_was_not_written_outranks_the_signal(tmp_path):
    script = HANG_UP.replace('"a.tour"]', '"a.tour", "--plot", "a.svg"]').replace(
        "import signal, sys", "import os, signal, sys\nos.symlink('/dev/full', 'a.svg')"
    )
    done = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert done.returncode == 74 and is_tour(tmp_path / "a.tour") and '"interrupted": true' in done.stdout
