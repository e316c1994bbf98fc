"""``warptour bound``."""

import signal

import pytest


def test_bound_prints_a_proven_bound(call):
    done = call("bound", "uniform:60:3", "--seconds", "0.5", "--json")
    assert done.code == 0 and done.err == ""
    assert {"lower_bound", "seconds", "iterations", "valid"} <= set(done.json)
    assert done.json["valid"] is True and done.json["iterations"] > 0
    cost = call("solve", "uniform:60:3", "--seconds", "0.2", "--json").json["cost"]
    assert 0.95 * cost < done.json["lower_bound"] <= cost


def test_bound_takes_an_open_path_with_given_ends(call):
    free = call("bound", "uniform:60:3", "--open", "--seconds", "0.3", "--json").json["lower_bound"]
    ends = call("bound", "uniform:60:3", "--from", "1", "--to", "2", "--seconds", "0.3", "--json").json["lower_bound"]
    assert free < ends


def test_bound_shows_lines_without_json(call):
    done = call("bound", "uniform:9:1", "--seconds", "0.3")
    assert done.code == 0 and done.out.startswith("lower bound") and "bound " in done.err


@pytest.mark.parametrize("words", [["uniform:9:1", "--seconds", "-1"], ["uniform:9:1", "--threads", "0"], ["none.tsp"]])
def test_bound_refuses_bad_input_in_one_line(call, words):
    assert call("bound", *words).code == 2


def test_bound_refuses_vehicles(call):
    call("generate", "vrp", "9", "-o", "a.vrp")
    done = call("bound", "a.vrp")
    assert done.code == 2 and "tours only" in done.fault


def test_a_signal_ends_the_ascent_with_the_bound_so_far(begin, tmp_path):
    running = begin("bound", "uniform:20000:1", "--seconds", "600", "--json")
    with pytest.raises(AssertionError, match="did not appear"):
        running.wait_for(tmp_path / "never", seconds=3)
    running.send(signal.SIGINT)
    done = running.end()
    assert done.code == 128 + signal.SIGINT and (done.out == "" or done.json["valid"])
