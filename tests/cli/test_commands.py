"""``check``, ``generate``, ``info``, ``example``, ``demo``, and the program itself."""

import pytest

import warptour as wt
from warptour.io import KINDS


def test_version_and_help(run, call):
    assert run("--version").out.partition(",")[0].strip() == f"warptour {wt.__version__}"
    for words in (["--help"], ["solve", "--help"], ["check", "-h"]):
        done = call(*words)
        assert done.code == 0 and "Usage" in done.out and done.err == ""


def test_check_says_what_is_wrong(call, tmp_path):
    call("generate", "uniform", "5", "-o", "a.tsp")
    (tmp_path / "good.tour").write_text("TYPE : TOUR\nTOUR_SECTION\n1\n2\n3\n4\n5\n-1\nEOF\n")
    (tmp_path / "bad.tour").write_text("TYPE : TOUR\nTOUR_SECTION\n1\n2\n2\n4\n5\n-1\nEOF\n")
    assert call("check", "a.tsp", "good.tour").code == 0
    bad = call("check", "a.tsp", "bad.tour", "--json")
    assert bad.code == 1 and list(bad.json) == ["cost", "feasible", "violations", "warnings"]
    assert bad.json["feasible"] is False and bad.json["cost"] > 0 and len(bad.json["violations"]) == 2
    assert "not visited" in call("check", "a.tsp", "bad.tour").out


def test_check_names_every_route_that_breaks_something(call, tmp_path):
    (tmp_path / "stops.csv").write_text("x,y,demand\n0,0,0\n0,3,5\n4,0,6\n0,7,5\n")
    (tmp_path / "a.sol").write_text("Route #1: 1 2\nRoute #2: 3\nCost 26\n")
    done = call("check", "stops.csv", "a.sol", "--capacity", "6", "--max-distance", "13", "--json")
    assert done.code == 1 and len(done.json["violations"]) == 2
    assert "route 1 carries 11" in done.json["violations"][0] and "route 2 is 14 long" in done.json["violations"][1]


def test_a_solution_that_cannot_be_read_is_bad_input(call, tmp_path):
    call("generate", "uniform", "5", "-o", "a.tsp")
    (tmp_path / "bad.tour").write_text("TOUR_SECTION\n1\ntwo\n")
    done = call("check", "a.tsp", "bad.tour")
    assert done.code == 2 and done.fault.startswith("bad.tour:3: ")


@pytest.mark.parametrize("kind", ["uniform", "clustered", "grid", "drilling", "picture", "vlsi", "roads"])
def test_generate_is_seeded_and_read_back(call, tmp_path, kind):
    for name, seed in (("a.tsp", 1), ("b.tsp", 1), ("c.tsp", 2)):
        assert call("generate", kind, "50", "--seed", seed, "--output", name).code == 0
    a, b, c = ((tmp_path / name).read_text() for name in ("a.tsp", "b.tsp", "c.tsp"))
    assert a == b != c
    assert wt.read(tmp_path / "a.tsp").n == 50


def test_generate_refuses_what_it_cannot_make(call):
    for words in (["nonsense", "5", "-o", "a.tsp"], ["uniform", "0", "-o", "a.tsp"], ["vrp", "9", "-o", "a.tsp"]):
        done = call("generate", *words)
        assert done.code == 2 and done.fault


def test_generated_towns_are_written_read_and_solved(call, tmp_path):
    assert call("generate", "towns", "40", "--seed", 3, "-o", "a.vrp", "-o", "a.csv").code == 0
    written, made = (call("solve", name, "--iterations", 50, "--json").json for name in ("a.vrp", "towns:40:3"))
    assert written["cost"] == made["cost"] > 0


def test_generated_windows_are_written_read_and_solved(call, tmp_path):
    assert call("generate", "windows", "40", "--seed", 3, "-o", "a.vrp").code == 0
    text = (tmp_path / "a.vrp").read_text()
    assert "TYPE : VRPTW" in text and "TIME_WINDOW_SECTION" in text and "SERVICE_TIME_SECTION" in text
    written, made = (call("solve", name, "--iterations", 50, "--json").json for name in ("a.vrp", "windows:40:3"))
    assert written["cost"] == made["cost"] > 0 and written["trips"] == made["trips"]
    done = call("generate", "windows", "40", "-o", "a.csv")
    assert done.code == 2 and "time windows are written as .vrp" in done.fault


def test_the_help_of_generate_names_all_kinds(call):
    help = call("generate", "--help").out
    assert all(kind in help for kind in KINDS)


def test_info(call, tmp_path):
    call("generate", "vrp", "30", "-o", "a.vrp")
    facts = call("info", "a.vrp", "--json").json
    assert facts["kind"] == "vrp" and facts["n"] == 30 and facts["routes_at_least"] >= 1
    assert "capacity" in call("info", "a.vrp").out
    assert call("info", "uniform:9:1", "--json").json["duplicates"] == 0


SOLOMON = (
    "T1\n\nVEHICLE\nNUMBER CAPACITY\n2 20\n\nCUSTOMER\nCUST NO. XCOORD. YCOORD. DEMAND READY TIME DUE DATE SERVICE\n\n"
    "0 0 0 0 0 30 0\n1 3 4 8 6 9 2\n2 1 1 7 0 25 2.5\n3 6 8 6 0 25 0\n"
)


def test_windows_are_described_and_checked(call, tmp_path):
    (tmp_path / "a.txt").write_text(SOLOMON)
    (tmp_path / "best.csv").write_text("name,objective,vehicles,cost,source\na,distance,2,228,x\n")
    facts = call("info", "a.txt", "--json").json
    assert (facts["time_windows"], facts["horizon"], facts["service_times"]) == (3, [0, 30], [0, 2.5])
    assert (facts["metric"], facts["best_known"], facts["max_duration"]) == ("EUCLIDEAN", None, None)
    told = call("info", "a.txt", "--rounding", "dimacs").out
    for words in ("time windows     3 of 3 customers\n", "horizon          0-300\n", "service times    0..25\n"):
        assert words in told
    assert "best known       228\n" in told and "EUCLIDEAN/dimacs" in told
    (tmp_path / "good.sol").write_text("Route #1: 2\nRoute #2: 1 3\nCost 22.8\n")
    (tmp_path / "late.sol").write_text("Route #1: 2\nRoute #2: 3 1\n")
    assert call("check", "a.txt", "good.sol", "--rounding", "dimacs", "--json").json["cost"] == 228
    done = call("check", "a.txt", "late.sol")
    assert done.code == 1 and "route 2 serves customer 2 ('1') 6 late; its hours are 6-9" in done.out


def test_solomons_text_is_piped(run, tmp_path):
    (tmp_path / "a.txt").write_text(SOLOMON)
    with open(tmp_path / "a.txt") as file:
        assert run("info", "-", "--json", stdin=file).json["time_windows"] == 3


def test_bad_windows_are_one_line(call, tmp_path):
    (tmp_path / "a.txt").write_text(SOLOMON.replace("6 9 2", "9 6 2"))
    done = call("info", "a.txt")
    assert done.code == 2 and done.fault == "a.txt:11: customer 1 has a window that ends at 6, before it begins at 9"


def test_the_earth_is_not_scaled(call, tmp_path):
    (tmp_path / "a.csv").write_text("lat,lon\n52,13\n53,13\n")
    done = call("info", "a.csv", "--rounding", "exact")
    assert done.code == 2 and "--rounding exact is for distances without a unit" in done.fault


def test_published_solutions_are_checked(call, rich):
    for name, cost in (("C101", "8,273"), ("R112", "9,486")):
        done = call("check", rich / "solomon" / f"{name}.txt", rich / "solomon" / f"{name}.sol", "--rounding", "dimacs")
        assert done.code == 0 and done.out == f"cost      {cost}\nfeasible  yes\n"


def test_examples_are_copied_and_can_be_solved(call, tmp_path):
    assert call("example", "stops.csv").code == 0
    assert [path.name for path in tmp_path.iterdir()] == ["stops.csv"]
    done = call("example")
    assert done.code == 0 and "customers.csv" in done.out
    examples = ["customers.csv", "deliveries.csv", "demo1000.tsp", "fleet.csv", "stops.csv"]
    assert sorted(path.name for path in tmp_path.iterdir()) == examples
    limits = ["--iterations", "1000", "--threads", "1", "--json", "--quiet"]
    path = call("solve", "stops.csv", "--from", "Depot", "--to", "Last stop", *limits).json
    assert path["feasible"] and path["n"] == 48
    routes = call("solve", "customers.csv", "--capacity", "100", *limits).json
    assert routes["feasible"] and routes["n"] == 41 and routes["kind"] == "vrp"


def test_an_example_does_not_replace_a_file_of_the_user(call, tmp_path):
    (tmp_path / "stops.csv").write_text("x,y\n0,0\n")
    done = call("example", "stops.csv")
    assert done.code == 2 and "stops.csv: is here already" in done.fault
    assert (tmp_path / "stops.csv").read_text() == "x,y\n0,0\n"
    done = call("example", "stop.csv")
    assert done.code == 2 and "customers.csv" in done.fault


def test_demo_draws_a_tour_and_writes_it(call, tmp_path):
    done = call("demo", "--seconds", "0.5")
    assert done.code == 0, done.err
    assert "1,000 cities" in done.out and any(0x2801 <= ord(letter) <= 0x28FF for letter in done.out)
    assert (tmp_path / "warptour-demo.svg").exists() and (tmp_path / "warptour-demo.tour").exists()


def test_an_internal_error_is_one_line_too(call, monkeypatch):
    def broken(*arguments, **options):
        raise RuntimeError("two\nlines")

    monkeypatch.setattr("warptour.io.reading.read", broken)
    done = call("info", "uniform:9:1")
    assert done.code == 70 and "WARPTOUR_DEBUG" in done.fault
