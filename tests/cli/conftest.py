"""The program as a user runs it: a process with arguments, files, output and an exit code."""

import json
import subprocess
import sys
import time

import pytest

from called_program import called_program

PROGRAM = [sys.executable, "-m", "warptour"]

PATIENCE = 900
"""Seconds after which a run is taken to hang: many times what it needs, since other work may have the machine."""


class Outcome:
    """What a finished run left behind."""

    def __init__(self, code, out, err):
        self.code, self.out, self.err = code, out, err

    @property
    def json(self):
        """The one object on standard output; more or less than one is an error."""
        return json.loads(self.out)

    @property
    def fault(self):
        """The one line that a refused run prints, after the program's name."""
        assert self.out == "" and self.err.count("\n") == 1 and self.err.startswith("warptour: "), (self.out, self.err)
        return self.err.removeprefix("warptour: ").rstrip("\n")


@pytest.fixture
def call(tmp_path, monkeypatch, capfd):
    """Call the program inside this process, which is quicker than :func:`run`, and return its :class:`Outcome`."""
    from warptour.cli import main

    monkeypatch.chdir(tmp_path)

    def call(*arguments):
        capfd.readouterr()
        with called_program(), pytest.raises(SystemExit) as ended:
            main([*map(str, arguments)])
        out, err = capfd.readouterr()
        return Outcome(ended.value.code, out, err)

    return call


@pytest.fixture
def run(tmp_path):
    """Run the program in an empty folder and return its :class:`Outcome`."""

    def run(*arguments, timeout=PATIENCE, **options):
        options = {"stdin": subprocess.DEVNULL, "cwd": tmp_path} | options
        done = subprocess.run(
            [*PROGRAM, *map(str, arguments)], capture_output=True, text=True, timeout=timeout, **options
        )
        return Outcome(done.returncode, done.stdout, done.stderr)

    return run


class Running:
    """A run that has begun."""

    def __init__(self, process):
        self.process = process

    def wait_for(self, path, words=b"", seconds=PATIENCE):
        """Wait until ``path`` has something in it, ``words`` among it; the run must not end before."""
        deadline = time.monotonic() + seconds
        while not (path.exists() and path.stat().st_size and words in path.read_bytes()):
            assert self.process.poll() is None, self.process.communicate()
            assert time.monotonic() < deadline, f"{path.name} has not got {words!r}"
            time.sleep(0.02)

    def send(self, number):
        self.process.send_signal(number)

    def kill(self):
        """End it as a power cut would."""
        self.process.kill()
        self.process.communicate()

    def end(self, timeout=PATIENCE):
        """Wait for the end and return the :class:`Outcome`."""
        out, err = self.process.communicate(timeout=timeout)
        return Outcome(self.process.returncode, out, err)


@pytest.fixture
def begin(tmp_path):
    """Start the program in an empty folder and return a :class:`Running`; it is killed when the test ends."""
    started = []

    def begin(*arguments):
        process = subprocess.Popen(
            [*PROGRAM, *map(str, arguments)],
            cwd=tmp_path,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        started.append(process)
        return Running(process)

    yield begin
    for process in started:
        process.kill()
        process.communicate()
