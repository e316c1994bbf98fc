"""What searches log, and that nothing is printed unless somebody wants it."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

import warptour as wt
from random_cities import cities

PROGRAM = """
import warptour as wt
wt.solve(wt.generate("uniform", 30, 1), iterations=100)
wt.solve(wt.generate("uniform", 8, 1), cluster="local:1")
"""


def run(root: Path, *words: str, **variables: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"PYTHONPATH": str(root / "src")} | variables
    return subprocess.run([sys.executable, *words], env=environment, capture_output=True, text=True, check=False)


def test_beginning_notes_and_end_are_logged(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "warptour")
    result = wt.solve(cities(30), "descent", device="cpu", threads=1, seed=5)
    lines = [(record.name, record.levelname, record.getMessage()) for record in caplog.records]
    assert all(line[:2] == ("warptour.search", "INFO") for line in lines)
    texts = [text for _, _, text in lines]
    assert texts[0] == "random: search by descent on cpu, threads=1, seed=5"
    assert any("exact scans of all moves" in text for text in texts)
    assert texts[-1].startswith(f"random: ended (finished): cost {result.cost}, ")


def test_improvements_are_logged_for_who_debugs(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG, "warptour")
    result = wt.solve(cities(30), iterations=50)
    costs = [record.getMessage() for record in caplog.records if record.levelname == "DEBUG"]
    assert costs[-1].startswith(f"random: cost {result.cost} after ")


def test_who_cancels_is_in_the_log_and_a_failure_is_a_warning(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "warptour")
    flag = threading.Event()
    flag.set()
    wt.solve(cities(30), cancel=flag)
    assert "ended (cancelled)" in caplog.records[-1].getMessage()
    with pytest.raises(ZeroDivisionError):
        wt.solve(cities(30), iterations=50, on_improvement=lambda cost, tour: 1 / 0)
    assert caplog.records[-1].levelname == "WARNING"


def test_a_program_that_configures_nothing_prints_nothing(root: Path) -> None:
    done = run(root, "-c", PROGRAM)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_the_command_line_logs_by_a_variable(root: Path) -> None:
    words = ["-m", "warptour", "solve", "uniform:30:1", "--iterations", "50", "--quiet"]
    assert run(root, *words).stderr == ""
    done = run(root, *words, WARPTOUR_LOG="Info")
    assert done.returncode == 0 and done.stdout == ""
    first, last = done.stderr.splitlines()
    assert "INFO warptour.search: uniform-30-1: search by windows on cpu" in first and "ended (iterations)" in last
    done = run(root, *words, WARPTOUR_LOG="loud")
    assert (done.returncode, done.stderr) == (
        2,
        "warptour: WARPTOUR_LOG is debug, info, warning or error, not 'loud'\n",
    )
