"""Pipes, devices and sockets as outputs: written directly, and never waited for against a signal."""

import os
import signal
import socket
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

import warptour as wt
from warptour.cli.failure import explain
from warptour.cli.output import _shelters, attempt
from warptour.observe.interrupt import Interrupt

SOLVE = ["solve", "uniform:60:1", "--iterations", "50", "--quiet"]
full = pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")


def rescued(folder):
    """The one file beside the pipe that holds the tour."""
    (path,) = folder.glob("pipe-*.tour")
    assert wt.check(wt.read("uniform:60:1"), path).feasible
    return path.name


def test_a_signal_ends_the_wait_for_whoever_reads_a_pipe(begin, tmp_path):
    os.mkfifo(tmp_path / "pipe.tour")
    running = begin(*SOLVE, "-o", "pipe.tour", "--trace", "t.jsonl")
    running.wait_for(tmp_path / "t.jsonl", b'"event": "end"')
    running.send(signal.SIGTERM)
    done = running.end()
    assert done.code == 74 and done.err.count("\n") == 1 and rescued(tmp_path) in done.err


def test_after_a_signal_a_pipe_that_nobody_reads_is_not_waited_for(begin, tmp_path):
    os.mkfifo(tmp_path / "pipe.tour")
    running = begin("solve", "uniform:60:1", "--seconds", "3600", "--quiet", "-o", "pipe.tour", "--trace", "t.jsonl")
    running.wait_for(tmp_path / "t.jsonl", b'"event": "improvement"')
    running.send(signal.SIGTERM)
    done = running.end()
    assert done.code == 74 and "nobody reads this pipe" in done.err and rescued(tmp_path) in done.err


def test_after_a_signal_a_pipe_is_written_to_its_reader(begin, tmp_path):
    os.mkfifo(tmp_path / "pipe.tour")
    with subprocess.Popen(["cat", "pipe.tour"], cwd=tmp_path, stdout=subprocess.PIPE) as reader:
        running = begin("solve", "uniform:60:1", "--seconds", "3600", "-q", "-o", "pipe.tour", "--trace", "t.jsonl")
        running.wait_for(tmp_path / "t.jsonl", b'"event": "improvement"')
        running.send(signal.SIGTERM)
        assert b"TOUR_SECTION" in reader.communicate()[0]
    assert (running.end().code, running.end().err) == (143, "")


@pytest.mark.parametrize("suffix", [".svg", ".html"])
def test_pictures_are_not_waited_for_either(suffix, begin, tmp_path):
    (tmp_path / "a.csv").write_text("name,lat,lon\na,50,8\nb,51,9\nc,52,8\n")
    os.mkfifo(tmp_path / f"pipe{suffix}")
    option = "--plot" if suffix == ".svg" else "--map"
    running = begin("solve", "a.csv", "--iterations", "5", "-q", option, f"pipe{suffix}", "--trace", "t.jsonl")
    running.wait_for(tmp_path / "t.jsonl", b'"event": "end"')
    running.send(signal.SIGTERM)
    done = running.end()
    assert done.code == 74 and f"pipe{suffix}" in done.err


def test_a_library_that_swallows_errors_does_not_swallow_a_signal(tmp_path):
    os.mkfifo(tmp_path / "pipe.svg")
    interrupt = Interrupt(action=lambda: None)

    def write():
        with suppress(Exception):  # as Matplotlib does while it looks for fonts
            interrupt.receive(signal.SIGTERM)
        os.open(tmp_path / "pipe.svg", os.O_WRONLY)  # would wait for ever

    assert "interrupted" in attempt(write, str(tmp_path / "pipe.svg"), interrupt)


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="needs names of open files")
@pytest.mark.parametrize("place", ["/dev/stdout", "/proc/self/fd/1"])
def test_a_name_of_standard_output_is_standard_output(place, run, tmp_path):
    (tmp_path / "link.tour").symlink_to(place)
    done = run(*SOLVE, "-o", "link.tour")
    assert (done.code, done.err) == (0, "") and "TOUR_SECTION" in done.out
    assert os.listdir(tmp_path) == ["link.tour"]


def test_a_socket_is_refused_before_the_search(call, tmp_path):
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(os.path.relpath(tmp_path / "a.tour"))
        for option in ("-o", "--checkpoint"):
            done = call(*SOLVE, option, "a.tour")
            assert done.code == 2 and done.fault.endswith("cannot be written: this is a socket")


@full
def test_nothing_is_left_among_devices(call, tmp_path):
    before = set(os.listdir("/dev"))
    done = call(*SOLVE, "--checkpoint", "/dev/full")
    assert done.code == 74 and len(list(tmp_path.glob("full-*.tour"))) == 1
    assert not [name for name in set(os.listdir("/dev")) - before if name.startswith("full")]


@pytest.mark.parametrize("place", [os.devnull, "pipe.jsonl"])
def test_no_tours_are_kept_beside_a_device(place, call, tmp_path):
    os.mkfifo(tmp_path / "pipe.jsonl")
    done = call(*SOLVE, "--trace", place, "--tours")
    assert (done.code, done.fault) == (2, f"{place} is a pipe or a device, and tours are kept beside a file")
    assert not Path(f"{place}.tours").exists()


@pytest.mark.parametrize("path", ["/dev/full", "/proc/self/fd/1", "/sys/a.tour"])
def test_folders_of_devices_are_no_shelter(path):
    assert Path(path).parent not in _shelters(Path(path))
    assert Path("somewhere") in _shelters(Path("somewhere/pipe.tour"))


# Too little memory


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="counts threads as Linux lists them")
def test_the_program_starts_no_threads_that_numpy_would_like():
    """OpenBLAS raises SIGINT if it has no memory for them, and the run would count as interrupted."""
    code = "import warptour.__main__, numpy, os; print(len(os.listdir('/proc/self/task')))"
    plain = {name: value for name, value in os.environ.items() if not name.endswith("_NUM_THREADS")}
    done = subprocess.run([sys.executable, "-c", code], env=plain, capture_output=True, text=True, check=True)
    assert done.stdout == "1\n"


@pytest.mark.parametrize(
    "words", ["a.so: failed to map segment from shared object", "a.so: cannot allocate memory in static"]
)
def test_libraries_that_do_not_fit_into_memory_are_a_shortage(words):
    assert explain(ImportError(words)) == ("there is not enough memory to load the program", 71)
    assert explain(ImportError("No module named a"))[1] == 70
