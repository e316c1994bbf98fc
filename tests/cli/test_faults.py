"""Whatever is wrong is said in one line, with exit code 2, and no traceback."""

import os

import numpy as np
import pytest

GOOD = "NAME: five\nTYPE: TSP\nDIMENSION: 5\nEDGE_WEIGHT_TYPE: EUC_2D\nNODE_COORD_SECTION\n"
ROWS = "1 0 0\n2 0 5\n3 5 5\n4 5 0\n5 2 2\nEOF\n"
VRP = (
    "NAME: three\nTYPE: CVRP\nDIMENSION: 3\nEDGE_WEIGHT_TYPE: EUC_2D\nCAPACITY: 10\nNODE_COORD_SECTION\n"
    "1 0 0\n2 0 5\n3 5 5\nDEMAND_SECTION\n1 0\n2 4\n3 4\nDEPOT_SECTION\n1\n-1\nEOF\n"
)


@pytest.mark.parametrize(
    "options",
    [
        [],
        ["--seconds", "abc"],
        ["--seconds", "-1"],
        ["--seconds", "nan"],
        ["--iterations", "-1"],
        ["--iterations", "1.5"],
        ["--threads", "0"],
        ["--seed", "-1"],
        ["--seed", "99999999999999999999999"],
        ["--device", "cuda:99"],
        ["--device", "nonsense"],
        ["--strategy", "magic"],
        ["--set", "nonsense"],
        ["--set", "nonsense=1"],
        ["--start", "nowhere.tour"],
        ["--start", "nonsense"],
        ["--rounding", "sideways"],
        ["--from", "77"],
        ["--to", "zero"],
        ["--from", "2", "--to", "2"],
        ["--output", "a.xyz"],
        ["--output", "nofolder/a.tour"],
        ["--output", "a.sol"],
        ["--output", "a.tsp"],
        ["--plot", "a.bmp"],
        ["--plot", "nofolder/a.svg"],
        ["--trace", "nofolder/a.jsonl"],
        ["--checkpoint", "nofolder/a.ckpt"],
        ["--resume", "nowhere.ckpt"],
        ["--resume", "a.tsp"],
        ["--capacity", "-3"],
        ["--frobnicate"],
        ["--json", "extra"],
    ],
    ids=" ".join,
)
def test_bad_options(call, tmp_path, options):
    (tmp_path / "a.tsp").write_text(GOOD + ROWS)
    done = call("solve", *(["a.tsp", *options] if options else []))
    assert done.fault and done.code == 2
    assert sorted(os.listdir(tmp_path)) == ["a.tsp"]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.tsp", ""),
        ("a.tsp", "hello\n"),
        ("a.tsp", GOOD),
        ("a.tsp", GOOD.replace("5", "6") + ROWS),
        ("a.tsp", GOOD.replace("5", "4") + ROWS),
        ("a.tsp", GOOD.replace("DIMENSION: 5\n", "") + ROWS),
        ("a.tsp", GOOD.replace("EUC_2D", "EUC_9D") + ROWS),
        ("a.tsp", GOOD.replace("DIMENSION: 5", "DIMENSION: -5") + ROWS),
        ("a.tsp", GOOD.replace("DIMENSION: 5", "DIMENSION: 99999999999999999999") + ROWS),
        ("a.tsp", GOOD + ROWS.replace("3 5 5", "3 5 five")),
        ("a.tsp", GOOD + ROWS.replace("3 5 5", "3 5")),
        ("a.tsp", GOOD + ROWS.replace("3 5 5", "3 5 nan")),
        ("a.tsp", GOOD + ROWS.replace("3 5 5", "2 5 5")),
        ("a.tsp", GOOD + ROWS.replace("3 5 5", "3 1e300 5")),
        ("a.vrp", VRP.replace("CAPACITY: 10\n", "")),
        ("a.vrp", VRP.replace("2 4\n3 4\nDEPOT", "2 14\n3 4\nDEPOT")),
        ("a.vrp", VRP.replace("2 4\n3 4\nDEPOT", "2 -4\n3 4\nDEPOT")),
        ("a.vrp", VRP.replace("2 4\n3 4\nDEPOT", "2 4\nDEPOT")),
        ("a.vrp", VRP.replace("DEPOT_SECTION\n1\n", "DEPOT_SECTION\n1\n2\n")),
        ("a.vrp", VRP.replace("DEPOT_SECTION\n1\n-1\n", "DEPOT_SECTION\n9\n-1\n")),
        ("a.csv", "x,y\n1,2\n3\n"),
        ("a.csv", "x,y\n1,2\n3,four\n"),
        ("a.csv", "name,colour\na,red\n"),
        ("a.csv", "lat,lon\n95,2\n3,4\n"),
        ("a.npy", "not numpy"),
        ("a.tour", "x"),
        ("a.unknown", "x"),
    ],
)
def test_malformed_problems(call, tmp_path, name, text):
    (tmp_path / name).write_text(text)
    done = call("solve", name, "--seconds", "1")
    assert name in done.fault and done.code == 2


def test_bad_arrays(call, tmp_path):
    np.save(tmp_path / "a.npy", np.array([[1.0, 2.0], [np.nan, 3.0]]))
    np.save(tmp_path / "b.npy", np.array([["x", "y"]]))
    np.save(tmp_path / "c.npy", np.array([object()]), allow_pickle=True)
    for name in ("a.npy", "b.npy", "c.npy"):
        done = call("solve", name)
        assert name in done.fault and done.code == 2


def test_a_fault_names_its_line(run, tmp_path):
    (tmp_path / "a.tsp").write_text(GOOD + ROWS.replace("3 5 5", "3 5 five"))
    done = run("solve", "a.tsp")
    assert done.code == 2 and done.fault.startswith("a.tsp:8: ")


def test_unknown_commands_and_words(call):
    for words in (["frobnicate"], ["solve"], ["check", "a.tsp"], ["generate", "uniform"], ["--frobnicate"]):
        done = call(*words)
        assert done.fault and done.code == 2


def test_a_missing_file_and_a_folder(call, tmp_path):
    assert "nowhere.tsp" in call("solve", "nowhere.tsp").fault
    (tmp_path / "folder.tsp").mkdir()
    assert "folder.tsp" in call("solve", "folder.tsp").fault


def test_paths_are_not_for_vehicles(call, tmp_path):
    (tmp_path / "a.vrp").write_text(VRP)
    assert "vehicles begin at their depot" in call("solve", "a.vrp", "--from", "2").fault


def test_an_output_that_would_replace_the_input_is_refused(call, tmp_path):
    (tmp_path / "a.csv").write_text("x,y\n1,2\n3,4\n")
    assert "replace" in call("solve", "a.csv", "--output", "a.csv").fault
    assert (tmp_path / "a.csv").read_text() == "x,y\n1,2\n3,4\n"


@pytest.mark.parametrize(
    "options",
    [
        ["--vehicles", "99999999999999999999"],
        ["--vehicles", "0"],
        ["--fixed-cost", "-1"],
        ["--fixed-cost", "nan"],
        ["--capacity", "1e400"],
        ["--target", "nan"],
        ["--latlon"],
    ],
    ids=" ".join,
)
def test_bad_options_of_vehicles(call, tmp_path, options):
    (tmp_path / "a.vrp").write_text(VRP)
    done = call("solve", "a.vrp", *options)
    assert done.fault and done.code == 2


def test_a_file_name_cannot_command_the_terminal(call, tmp_path):
    (tmp_path / "a\x1b[2Jb.csv").write_text("x,y\n1,2\n3,4\n5,7\n")
    assert "\\u001b[2J" in call("solve", "a\x1b[2Jb.csv", "--iterations", "1").out
    assert "\\u001b[2J" in call("solve", "\x1b[2J.csv").fault


def test_settings_say_what_there_is(call):
    fault = call("solve", "uniform:50:1", "--strategy", "ils", "--set", "nonsense=1").fault
    assert "ils has no field 'nonsense'; its fields are" in fault
