"""``warptour fpga`` as a user runs it."""

from __future__ import annotations


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
