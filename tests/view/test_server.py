"""What the page gets from the server: problems, forms, runs, traces, tours and exports."""

from __future__ import annotations

import json
import shlex
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

import warptour as wt
from warptour.io.write import write_problem
from warptour.view import session as sessions

CSV = "name,lat,lon,demand\ndepot,50.9,6.9,0\nMüller <b>,51.0,7.0,3\nSchmidt,51.1,6.8,4\nWeiß,50.8,7.1,5\n"


@pytest.fixture(scope="module")
def recorded(tmp_path_factory):
    """The trace of a short run, with its tours."""
    path = tmp_path_factory.mktemp("recorded") / "run.jsonl"
    problem = wt.generate("clustered", 150, 1)
    result = wt.solve(problem, iterations=3000, threads=1, trace=path, tours=True)
    return path, problem, result


def tour_of(reply):
    """Return seconds, cost, lengths and nodes of a tour."""
    seconds, cost = np.frombuffer(reply.body, "<f8", 2)
    routes, count = np.frombuffer(reply.body, "<u4", 2, 16)
    numbers = np.frombuffer(reply.body, "<i4", -1, 24)
    assert len(numbers) == routes + count
    return seconds, cost, numbers[:routes], numbers[routes:]


def test_a_session_begins_empty(own_client):
    session = own_client.get("api/session")
    assert session["warptour"] == wt.__version__ and session["limits"]["runs"] == sessions.MAX_RUNS
    assert [session[key] for key in ("problem", "trace", "problems", "traces", "runs")] == [None, None, [], [], []]


def test_forms_have_the_options_of_a_file_but_no_files_of_the_server(client):
    forms = {form["name"]: form for form in client.get("api/forms")["reading"]}
    assert {"latlon", "open", "from", "to", "capacity", "vehicles", "columns", "decimal"} <= forms.keys()
    assert {forms[name]["type"] for name in ("fleet", "matrix", "durations")} == {"file"}
    assert not {"roads", "osrm", "traffic"} & forms.keys()
    assert forms["rounding"]["type"] == "choice" and "ceil" in forms["rounding"]["choices"]
    assert [forms[name]["type"] for name in ("capacity", "vehicles", "open", "depot")] == [
        "number", "integer", "boolean", "text",
    ]  # fmt: skip
    assert all(form["help"] for form in forms.values())


def test_forms_have_every_field_of_every_strategy_with_its_range_and_text(client):
    forms = client.get("api/forms")
    by_name = {form["name"]: form for form in forms["strategies"]}
    assert {"windows", "ils", "routes", "vns"} <= set(by_name)
    for form in by_name.values():
        assert form["title"].endswith(".") and form["iteration"]
        for field in form["fields"]:
            assert field["help"], field
            assert field["type"] in ("integer", "number", "boolean", "choice", "words", "text")
            if field["type"] in ("integer", "number") and not field.get("optional"):
                assert field["low"] <= field["default"] <= field["high"]
            if field["type"] == "choice":
                assert field["default"] in field["choices"]
    windows = {field["name"]: field for field in by_name["windows"]["fields"]}
    assert windows["nearest"] | {"help": ""} == {
        "name": "nearest", "type": "integer", "default": 7, "low": 1, "high": 1000, "help": "",
    }  # fmt: skip
    assert windows["overlapping.window"]["default"] == wt.Windows().overlapping.window
    assert windows["start"]["optional"] and "greedy" in windows["start"]["choices"]
    assert {"uniform", "vrp"} <= set(forms["kinds"]) and ".xlsx" in forms["suffixes"]
    assert "greedy" in forms["starts"]["tsp"] and forms["starts"]["vrp"] == ["savings"]


def test_a_generated_problem_has_coordinates_and_says_which_strategies_solve_it(client):
    problem = client.post("api/problems", {"generate": {"kind": "uniform", "n": 40, "seed": 7}})
    assert problem["input"] == "uniform:40:7" and problem["n"] == 40 and problem["kind"] == "tsp"
    assert problem["strategy"] == "windows" and problem["strategies"]["windows"] is None
    assert "vehicle" in problem["strategies"]["routes"] or "one tour" in problem["strategies"]["routes"]
    body = client("GET", f"api/problems/{problem['id']}/coordinates").body
    assert (np.frombuffer(body).reshape(-1, 2) == wt.generate("uniform", 40, 7).points).all()


def test_an_upload_is_read_as_on_the_command_line(client):
    file = client.upload("Stops of Köln.csv", CSV.encode())
    problem = client.post("api/problems", {"file": file, "options": {"capacity": 8, "depot": "depot"}})
    assert (problem["name"], problem["input"]) == ("Stops_of_Köln", "Stops_of_Köln.csv")
    assert problem["kind"] == "vrp" and problem["geographic"] and problem["capacity"] == 8 and problem["depot"] == 0
    node = client.get(f"api/problems/{problem['id']}/nodes/1")
    assert node == {"node": 1, "name": "Müller <b>", "x": 7.0, "y": 51.0, "demand": 3, "load_unit": None, "hours": None}
    assert client("GET", f"api/problems/{problem['id']}/nodes/4").status == 404
    body = client("GET", f"api/problems/{problem['id']}/coordinates").body
    assert np.frombuffer(body)[:2].tolist() == [6.9, 50.9]


def test_every_format_opens(client, tmp_path):
    problem = wt.generate("uniform", 12, 1)
    for suffix in (".tsp", ".csv", ".npy"):
        path = tmp_path / f"a{suffix}"
        if suffix == ".npy":
            np.save(path, problem.points)
        else:
            write_problem(path, problem)
        file = client.upload(path.name, path.read_bytes())
        assert client.post("api/problems", {"file": file})["n"] == 12


@pytest.mark.parametrize(
    ("name", "data", "options", "line"),
    [
        ("bad.csv", b"name,x,y\na,1,2\nb,3,oops\n", {}, "bad.csv:3: y of 'b' is 'oops'"),
        ("bad.tsp", b"NAME : a\nDIMENSION : 3\nEOF\n", {}, "bad.tsp"),
        ("empty.tsp", b"", {}, "empty.tsp:1: is empty"),
        ("a.exe", b"MZ", {}, "a.exe: is no problem by its suffix"),
        (
            "pairs.txt",
            b"2 20 1\n0 0 0 0 0 90 0 0 0\n1 3 4 8 6 40 2 0 2\n2 1 1 -8 0 60 2 0 0\n",
            {},
            "pairs.txt:4: task 2 has neither a pickup nor a delivery",
        ),
        ("a.csv", b"name,x,y\na,1,2\nb,3,4\n", {"capacity": 3}, "a.csv has no demands"),
        ("a.csv", b"name,x,y\na,1,2\nb,3,4\n", {"from": "nobody"}, "--from takes a city"),
        ("a.csv", b"name,x,y\na,1,2\nb,3,4\n", {"rounding": "up"}, "unknown rounding"),
        ("a.csv", b"name,x,y\na,1,2\nb,3,4\n", {"colour": "red"}, "there is no option"),
        ("a.csv", b"name,x,y\na,1,2\nb,3,4\n", {"capacity": "3"}, "capacity is a number"),
        ("a.csv", b"x,y,Hours\n1,2,\n3,4,8:00-9:00\n", {}, "a.csv:1: the column 'Hours' (time windows) needs"),
        ("a.csv", b"x,y,Hours\n1,2,\n3,4,8:00-9:00\n", {"ignore": "Hour"}, "a.csv has no column 'Hour' to ignore"),
        ("a.csv", b"x;y\n1.234;2.345\n3;4\n", {}, "a.csv:2: x is '1.234': thousands or decimals?"),
    ],
)
def test_what_cannot_be_read_is_the_line_of_the_command_line_without_private_paths(client, name, data, options, line):
    reply = client("POST", "api/problems", {"file": client.upload(name, data), "options": options})
    assert reply.status == 400 and reply.json["error"].startswith(line)
    assert "warptour-view" not in reply.json["error"]


def test_a_problem_has_warnings_that_its_runs_do_not_repeat(own_client):
    client = own_client
    data = b"x;y;Hours;tel\n1.234;2.345;;1\n3;4;8:00-9:00;2\n5;6;;3\n"
    options = {"ignore": "hours", "decimal": "."}
    problem = client.post("api/problems", {"file": client.upload("a.csv", data), "options": options})
    assert problem["notes"] == ["a.csv: columns not used: 'tel'"]
    run = client.post("api/runs", {"problem": problem["id"], "seed": 1, "iterations": 1})
    assert run["command"].startswith("warptour solve a.csv --decimal . --ignore hours ")
    done = client.wait(run["id"])
    assert done["state"] == "ended" and done["notes"] == [] and done["error"] is None


def test_a_sheet_with_hours_is_planned_by_the_clock(own_client):
    client = own_client
    data = b"name,lat,lon,demand,from,to\nD,47,15,,7,17\nA,47.1,15,1,8,9\nB,47,15.1,1,10:00,11:00\n"
    given = {
        "file": client.upload("a.csv", data),
        "options": {"capacity": 5, "speed": 40, "open": True, "late_cost": 9},
    }
    problem = client.post("api/problems", given)
    assert problem["open"] is True and problem["notes"] == []
    run = client.post("api/runs", {"problem": problem["id"], "seed": 1, "iterations": 50})
    assert run["command"].startswith("warptour solve a.csv --open --capacity 5 --late-cost 9 --speed 40 ")
    assert client.wait(run["id"])["state"] == "ended"


def test_a_run_is_a_process_whose_command_gives_the_same_tour(own_client, tmp_path):
    client = own_client
    file = client.upload("cities.csv", b"x,y\n" + b"".join(b"%d,%d\n" % (k * k % 97, k * 31 % 89) for k in range(60)))
    problem = client.post("api/problems", {"file": file, "options": {"open": True}})
    wanted = {"strategy": "ils", "settings": {"nearest": 9}, "iterations": 4000, "threads": 1, "start": "nearest"}
    run = client.post("api/runs", {"problem": problem["id"], "seed": 5, **wanted})
    assert run["state"] == "running" and run["error"] is None
    assert shlex.split(run["command"]) == shlex.split(
        "warptour solve cities.csv --open --strategy ils --set nearest=9 --threads 1 --iterations 4000 --seed 5"
        " --start nearest"
    )
    done = client.wait(run["id"])
    assert done["state"] == "ended" and done["exit"] == 0 and done["notes"] == [], done
    [trace] = client.get("api/session")["traces"]
    assert trace["run"] == run["id"] and trace["state"] == "ended" and trace["id"] == run["trace"]
    assert trace["begin"]["name"] == "cities" and trace["begin"]["parameters"]["nearest"] == 9
    lines = client.get(f"api/traces/{trace['id']}/lines")
    assert lines["next"] == trace["lines"] == len(lines["lines"])
    assert lines["lines"][0]["event"] == "begin" and lines["lines"][-1]["event"] == "end"
    _, cost, _, order = tour_of(client("GET", f"api/traces/{trace['id']}/tours/{trace['frames'] - 1}"))
    assert sorted(order.tolist()) == list(range(60)) and cost == lines["lines"][-1]["cost"]
    points = [(k * k % 97, k * 31 % 89) for k in range(60)]
    same = wt.TSP("same", wt.METRICS["EUCLIDEAN"], np.array(points, float), open=True)
    assert same.cost(order) == pytest.approx(cost)


def test_problems_that_nobody_uses_are_forgotten_with_their_files(serve, client_of, tmp_path):
    stops = b"x,y\n1,2\n3,4\n5,7\n"
    (tmp_path / "opened.csv").write_bytes(stops)
    view = serve(tmp_path / "opened.csv")
    client = client_of(view.address)
    file = client.upload("a.csv", stops)
    [opened] = client.get("api/session")["problems"]
    forgotten, run, asked = (client.post("api/problems", {"file": file})["id"] for _ in range(3))
    client.wait(client.post("api/runs", {"problem": run, "iterations": 1, "threads": 1})["id"])
    for seed in range(sessions.MAX_PROBLEMS):
        assert client("GET", f"api/problems/{asked}/nodes/0").status == 200
        last = client.post("api/problems", {"generate": {"kind": "uniform", "n": 5, "seed": seed}})["id"]
    kept = {problem["id"] for problem in client.get("api/session")["problems"]}
    assert {opened["id"], run, asked, last} < kept and len(kept) == sessions.MAX_PROBLEMS + 2
    reply = client("POST", "api/runs", {"problem": forgotten})
    assert reply.status == 404 and reply.json["error"].endswith("read it again")
    assert list(view.session.files) == [file]
    client("DELETE", "api/runs/r1")
    for seed in range(sessions.MAX_PROBLEMS + 1):
        client.post("api/problems", {"generate": {"kind": "uniform", "n": 5, "seed": seed}})
    assert len(client.get("api/session")["problems"]) == sessions.MAX_PROBLEMS + 1
    assert view.session.files == {} and not (view.session.folder.path / file).exists()


def test_there_is_a_limit_on_traces(own_client, recorded, monkeypatch):
    monkeypatch.setattr(sessions, "MAX_TRACES", 2)
    file = own_client.upload("run.jsonl", recorded[0].read_bytes())
    first, _ = (own_client.post("api/traces", {"file": file})["id"] for _ in range(2))
    problem = own_client.post("api/problems", {"generate": {"kind": "uniform", "n": 5, "seed": 1}})["id"]
    for path, wanted in (("api/traces", {"file": file}), ("api/runs", {"problem": problem})):
        reply = own_client("POST", path, wanted)
        assert reply.status == 429 and reply.json["error"].endswith("remove one first")
    assert own_client("DELETE", f"api/traces/{first}").status == 200
    assert own_client.post("api/traces", {"file": file})["lines"] > 0


def test_files_that_take_long_to_read_leave_the_server_to_others(own_client, monkeypatch):
    begun, go_on = threading.Event(), threading.Event()

    def slow(*given):
        begun.set()
        assert go_on.wait(120)
        raise wt.InputError("it was slow")

    monkeypatch.setattr(sessions, "asked_problem", slow)
    wanted = {"generate": {"kind": "uniform", "n": 5, "seed": 1}}
    with ThreadPoolExecutor(50) as pool:
        try:
            replies = [pool.submit(own_client, "POST", "api/problems", wanted) for _ in range(50)]
            assert begun.wait(120)
            with own_client.stream("api/events") as news:
                assert next(news)["runs"] == [] and own_client.get("api/session")["problems"] == []
        finally:
            go_on.set()
        assert {reply.result().status for reply in replies} == {400}


def test_stopping_gives_the_best_so_far(own_client):
    client = own_client
    problem = client.post("api/problems", {"generate": {"kind": "uniform", "n": 500, "seed": 1}})
    run = client.post("api/runs", {"problem": problem["id"], "seconds": 600, "threads": 1})
    end = time.monotonic() + 60
    while not client.get("api/session")["traces"][0]["frames"] and time.monotonic() < end:
        time.sleep(0.05)
    assert client.post(f"api/runs/{run['id']}/stop")["state"] == "stopping"
    done = client.wait(run["id"])
    assert done["state"] == "ended" and done["error"] is None
    trace = client.get("api/session")["traces"][0]
    last = client.get(f"api/traces/{trace['id']}/lines")["lines"][-1]
    assert last["event"] == "end" and last["interrupted"] is True and trace["state"] == "ended"
    assert client("DELETE", f"api/runs/{run['id']}").json == {}
    session = client.get("api/session")
    assert session["runs"] == [] and session["traces"] == []


def test_a_killed_solver_leaves_a_trace_that_is_cut_off(serve, client_of):
    view = serve()
    client = client_of(view.address)
    problem = client.post("api/problems", {"generate": {"kind": "uniform", "n": 300, "seed": 1}})
    run = client.post("api/runs", {"problem": problem["id"], "seconds": 600, "threads": 1})
    end = time.monotonic() + 60
    while not client.get("api/session")["traces"][0]["frames"] and time.monotonic() < end:
        time.sleep(0.05)
    view.session.runs[run["id"]].process.kill()
    done = client.wait(run["id"])
    assert done["state"] == "failed" and done["error"] == "the solver was killed by SIGKILL"
    trace = client.get("api/session")["traces"][0]
    assert trace["state"] == "cut off" and trace["frames"] > 0
    assert len(tour_of(client("GET", f"api/traces/{trace['id']}/tours/0"))[3]) == 300


def test_a_run_that_cannot_be_has_the_line_of_the_command_line(own_client):
    client = own_client
    problem = client.post("api/problems", {"generate": {"kind": "vrp", "n": 20, "seed": 1}})
    run = client.post("api/runs", {"problem": problem["id"], "strategy": "ils", "seconds": 1})
    done = client.wait(run["id"])
    assert done["state"] == "failed" and done["exit"] == 2
    assert done["error"] == "ils is for one tour; vehicle routing needs the strategy routes"


def test_there_is_a_limit_on_runs_at_a_time(own_client, monkeypatch):
    client = own_client
    monkeypatch.setattr(sessions, "MAX_RUNS", 1)
    problem = client.post("api/problems", {"generate": {"kind": "uniform", "n": 50, "seed": 1}})
    run = client.post("api/runs", {"problem": problem["id"], "seconds": 600, "threads": 1})
    reply = client("POST", "api/runs", {"problem": problem["id"], "seconds": 1})
    assert reply.status == 429 and "stop one first" in reply.json["error"]
    assert client("DELETE", f"api/runs/{run['id']}").status == 200
    again = client.post("api/runs", {"problem": problem["id"], "iterations": 1, "threads": 1})
    assert client.wait(again["id"])["state"] == "ended"


def test_a_trace_of_the_command_line_is_open_from_the_beginning(serve, client_of, recorded):
    path, problem, result = recorded
    client = client_of(serve(path).address)
    session = client.get("api/session")
    [trace] = session["traces"]
    assert session["trace"] == trace["id"] and trace["name"] == "run.jsonl" and trace["state"] == "ended"
    assert trace["n"] == 150 and trace["drawable"] and not trace["geographic"] and trace["run"] is None
    url = f"api/traces/{trace['id']}"
    frames = client.get(f"{url}/frames")
    assert frames["next"] == trace["frames"] == len(frames["frames"])
    assert client.get(f"{url}/frames?after=1")["frames"] == frames["frames"][1:]
    last = trace["frames"] - 1
    seconds, cost, lengths, order = tour_of(client("GET", f"{url}/tours/{last}"))
    assert [seconds, cost, len(lengths)] == frames["frames"][last] and cost == result.cost
    assert problem.cost(order) == result.cost
    assert (np.frombuffer(client("GET", f"{url}/coordinates").body).reshape(-1, 2) == problem.points).all()
    assert client.get(f"{url}/nodes/3")["x"] == problem.points[3, 0]
    assert client.get(f"{url}/tours/{last}/routes")["routes"] == [{"number": 1, "stops": 150, "length": cost}]
    assert client("GET", f"{url}/tours/{last + 1}").status == 404
    assert client("GET", f"{url}/tours/-1").status == 400
    assert client("GET", f"{url}/lines?after=x").status == 400


def test_a_trace_of_any_name_is_known_by_its_first_line(serve, client_of, recorded, tmp_path):
    (tmp_path / "run.log").write_bytes(recorded[0].read_bytes())
    client = client_of(serve(tmp_path / "run.log").address)
    assert client.get("api/session")["traces"][0]["lines"] > 0


def test_exports_are_the_files_that_the_solver_writes(serve, client_of, recorded, tmp_path):
    path, problem, result = recorded
    client = client_of(serve(path).address)
    last = client.get("api/session")["traces"][0]["frames"] - 1
    for form in ("csv", "xlsx", "geojson", "tour"):
        reply = client("GET", f"api/traces/t1/tours/{last}/export?format={form}")
        assert reply.headers["content-disposition"] == f'attachment; filename="solution.{form}"'
        (tmp_path / f"a.{form}").write_bytes(reply.body)
        assert wt.check(problem, tmp_path / f"a.{form}").cost == result.cost
    assert client("GET", f"api/traces/t1/tours/{last}/export?format=sol").status == 400
    assert client("GET", f"api/traces/t1/tours/{last}/export?format=../x").status == 400
    rows = client("GET", "api/traces/t1/costs.csv").body.decode().splitlines()
    assert rows[0] == "seconds,cost,lower_bound,gap_percent" and rows[-1].split(",")[1] == str(result.cost)


def test_routes_have_their_load_and_length(serve, client_of, tmp_path):
    problem = wt.generate("vrp", 40, 2)
    result = wt.solve(problem, iterations=2000, threads=1, trace=tmp_path / "a.jsonl", tours=True)
    client = client_of(serve(tmp_path / "a.jsonl").address)
    last = client.get("api/session")["traces"][0]["frames"] - 1
    table = client.get(f"api/traces/t1/tours/{last}/routes")
    assert sum(row["length"] for row in table["routes"]) == result.cost
    assert sum(row["load"] for row in table["routes"]) == problem.demands.sum()
    assert table["capacity"] == problem.capacity and all(row["load"] <= problem.capacity for row in table["routes"])
    _, _, lengths, order = tour_of(client("GET", f"api/traces/t1/tours/{last}"))
    assert len(lengths) == len(result.routes) and len(order) == 39


def test_routes_have_their_hours(serve, client_of, tmp_path):
    problem = wt.VRP.from_points(
        [[0, 0], [10, 0], [20, 0]], demands=[0, 2, 3], capacity=5, unit="km", speed=30, open=True,
        windows=[None, "08:00-09:00", "11:00-11:30"],
    )  # fmt: skip
    wt.solve(problem, iterations=100, threads=1, trace=tmp_path / "a.jsonl", tours=True)
    client = client_of(serve(tmp_path / "a.jsonl").address)
    trace = client.get("api/session")["traces"][0]
    table = client.get(f"api/traces/t1/tours/{trace['frames'] - 1}/routes")
    (row,) = table["routes"]
    assert table["clock"] is True and trace["open"] is True
    assert [row[name] for name in ("leaves", "ends", "waits")] == pytest.approx([31200, 39600, 6000])
    assert [visit[0] for visit in row["visits"]] == [0, 1, 2]
    assert [visit[1] for visit in row["visits"]] == pytest.approx([31200, 32400, 33600])
    assert [visit[2:] for visit in row["visits"]][2] == pytest.approx([39600, 39600])
    assert client.get("api/traces/t1/nodes/1")["hours"] == "08:00-09:00"
    assert client.get("api/traces/t1/nodes/0")["hours"] is None


def test_an_uploaded_trace_opens_with_its_tours_or_without(own_client, recorded):
    client, (path, _, _) = own_client, recorded
    data = path.read_bytes()
    file, sidecar = (
        client.upload("run.jsonl", data),
        client.upload("run.jsonl.tours", Path(f"{path}.tours").read_bytes()),
    )
    whole = client.post("api/traces", {"file": file, "tours": sidecar})
    assert whole["state"] == "ended" and whole["frames"] > 0 and whole["drawable"]
    bare = client.post("api/traces", {"file": file})
    assert bare["frames"] == 0 and not bare["drawable"] and bare["n"] == 150
    assert client("GET", f"api/traces/{bare['id']}/coordinates").status == 404
    assert client("GET", f"api/traces/{bare['id']}/nodes/0").status == 404
    cut = client.post("api/traces", {"file": client.upload("cut.jsonl", data[: len(data) // 2])})
    assert cut["state"] == "cut off" and cut["error"] is None
    old = client.post("api/traces", {"file": client.upload("old.jsonl", b'{"t": 1, "cost": 5, "iterations": 1}\n')})
    assert old["state"] == "ended" and old["begin"] is None
    bad = client("POST", "api/traces", {"file": client.upload("bad.jsonl", b"hello\n")})
    assert bad.status == 400 and bad.json["error"].startswith("bad.jsonl:1: a line of a trace is")
    wrong = client("POST", "api/traces", {"file": file, "tours": file})
    assert wrong.status == 400 and "no tours of warptour" in wrong.json["error"]
    assert client("DELETE", f"api/traces/{cut['id']}").json == {}
    assert cut["id"] not in [trace["id"] for trace in client.get("api/session")["traces"]]


def test_a_trace_that_grows_is_followed_by_events(serve, client_of, recorded, tmp_path):
    path, _, _ = recorded
    lines, tours = path.read_bytes().splitlines(True), Path(f"{path}.tours").read_bytes()
    growing = tmp_path / "growing.jsonl"
    growing.write_bytes(b"".join(lines[:2]))
    client = client_of(serve(growing).address)
    with client.stream("api/events") as news:
        [first] = next(news)["traces"]
        assert (first["state"], first["lines"], first["frames"]) == ("growing", 2, 0)
        with growing.open("ab") as file:
            file.write(lines[2] + lines[3][:10])
        assert [trace["lines"] for trace in next(news)["traces"]] == [3]
        Path(f"{growing}.tours").write_bytes(tours)
        assert next(news)["traces"][0]["frames"] > 0
        with growing.open("ab") as file:
            file.write(lines[3][10:] + b"".join(lines[4:]))
        assert next(news)["traces"][0]["state"] == "ended"


def test_a_missing_or_malformed_source_is_refused_at_once(serve, tmp_path):
    (tmp_path / "bad.jsonl").write_text("hello\n")
    with pytest.raises(wt.InputError, match="a line of a trace"):
        serve(tmp_path / "bad.jsonl")
    with pytest.raises(wt.UsageError, match="needs a file"):
        serve("-")
    for name in ("none.jsonl", "none.tsp"):
        with pytest.raises(wt.WarptourError, match="no such file"):
            serve(tmp_path / name)


def test_an_error_of_ours_is_said_to_be_one(own_client, monkeypatch):
    def broken(self):
        raise KeyError("oops")

    monkeypatch.setattr(sessions.Session, "devices", broken)
    reply = own_client("GET", "api/devices")
    assert reply.status == 500 and json.loads(reply.body)["error"].startswith(
        "internal error, please report it (KeyError"
    )
