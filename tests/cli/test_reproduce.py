"""``reproduce``: lists, tables, JSON, files, and what is refused."""

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

import fake_paper
from warptour.bench import Row
from warptour.papers import PAPERS
from warptour.papers.exhibit import Exhibit
from warptour.papers.instances import public, stand_in
from warptour.papers.paper import Paper

TESTS = Path(__file__).resolve().parents[1]
FIELDS = "suite case n device value unit limit peer exhibit".split()


@pytest.fixture
def fake(monkeypatch):
    """Make the fake paper one of the papers."""
    monkeypatch.setitem(PAPERS, "fake", "fake_paper")


def test_without_a_paper_all_are_listed(call, fake):
    done = call("reproduce")
    assert done.code == 0 and done.out == call("reproduce", "--list").out
    for text in (*PAPERS, "A. Nobody (1999)", "figure-2  Figure 2: squares", "not reproduced: figure 4", "chapter-6"):
        assert text in done.out
    listed = call("reproduce", "fake", "--list", "--json").json
    assert listed[0] == {"paper": "fake", "exhibit": "table-1", "title": "Table 1: two rows"}


def test_a_paper_is_printed_beside_its_values(call, fake):
    done = call("reproduce", "fake", "--device", "cpu", "--threads", "1")
    assert done.code == 0 and done.err == ""
    lines = done.out.splitlines()
    assert lines[2] == "warptour reproduce fake --device cpu --threads 1"
    assert {
        "Table 1: two rows (table-1)",
        "What differs: Everything | differs.",
        "not measured: this needs a machine that is gone",
        "Not reproduced",
        "- figure 4: its instance has no name",
    } <= set(lines)
    title, first, second = (
        next(line for line in lines if line.startswith(word)) for word in ("case", "short", "a case")
    )
    for word in ("device", "unit"):
        assert {first[title.index(word) - 1], second[title.index(word) - 1]} == {" "}
    assert first.split() == ["short", "1,000", "cpu", "2", "4", "s", "0.5"]
    assert second.split()[-4:] == ["123,456", "-", "moves", "-"]


def test_some_exhibits_as_json(call, fake):
    rows = call("reproduce", "fake", "figure-2", "table-1", "--device", "cpu", "--json").json
    assert all(list(row) == FIELDS for row in rows)
    assert [row["exhibit"] for row in rows] == ["table-1"] * 2 + ["figure-2"] * 4
    assert rows[0]["peer"] == 4.0 and rows[-1]["value"] is None


def test_the_files_of_a_paper(call, fake, tmp_path):
    done = call("reproduce", "fake", "--device", "cpu", "-o", "out")
    assert done.code == 0
    assert {"fake.md", "fake.json", "fake-table-1.csv", "fake-figure-2.csv"} <= {
        path.name for path in (tmp_path / "out").iterdir()
    }
    held = json.loads((tmp_path / "out" / "fake.json").read_text())
    assert held["incomplete"] == {"figure-3": "this needs a machine that is gone"}
    assert held["command"] == "warptour reproduce fake --device cpu"


@pytest.mark.parametrize(
    ("words", "part"),
    [
        (["nobody"], "there are oneil, rocki, mavroidis, schulz, ermis"),
        (["mavroidis", "table-99"], "there are chapter2, partitions"),
        (["schulz", "table-99"], "there are table-5, table-1"),
        (["mavroidis", "--first", "100"], "--first is for oneil"),
        (["mavroidis", "--device", "cuda:77"], "cuda:77"),
    ],
)
def test_what_is_not_there_is_refused_in_one_line(call, words, part):
    done = call("reproduce", *words)
    assert done.code == 2 and part in done.fault


def test_a_folder_that_is_a_file_is_refused_before_anything_is_measured(call, fake, tmp_path):
    (tmp_path / "out").write_text("")
    done = call("reproduce", "fake", "--device", "cpu", "-o", "out")
    assert done.code == 74 and "out" in done.fault


PROGRAM = """
import sys
import fake_paper
from dataclasses import replace
from warptour.cli import main
from warptour.papers import PAPERS
PAPERS["fake"] = "fake_paper"
fake_paper.PAPER = replace(fake_paper.PAPER, exhibits=(fake_paper.TABLE, getattr(fake_paper, sys.argv[1])))
main(["reproduce", "fake", "--device", "cpu", "--json", "-o", "out"])
"""


@pytest.mark.parametrize(
    ("exhibit", "code", "gap"), [("INTERRUPTED", 130, "interrupted"), ("BROKEN", 70, "ZeroDivision")]
)
def test_what_was_measured_before_ctrl_c_or_a_defect_is_kept(tmp_path, exhibit, code, gap):
    path = os.pathsep.join([str(TESTS), *filter(None, [os.environ.get("PYTHONPATH")])])
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, exhibit], cwd=tmp_path, env=os.environ | {"PYTHONPATH": path},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    last = getattr(fake_paper, exhibit).name
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr and "is kept" in done.stderr
    assert [row["exhibit"] for row in json.loads(done.stdout)] == ["table-1", "table-1", last]
    held = json.loads((tmp_path / "out" / "fake.json").read_text())
    assert len(held["rows"]) == 3 and gap in held["incomplete"][last]
    assert (tmp_path / "out" / f"fake-{last}.csv").read_text().count("\n") == 2


def test_a_quick_table_names_the_sizes_that_were_run_and_leaves_out_empty_columns(call, fake):
    done = call("reproduce", "fake", "table-1", "figure-2", "--quick", "--device", "cpu")
    assert "\nTable 1: two rows [run with n = 20, 1,000] (table-1)\n" in done.out
    table, _, figure = done.out.partition("Figure 2: squares [run with n = 10, 20, 40] (figure-2)")
    assert "ours/paper" in table and "paper" not in figure.partition("Not reproduced")[0]
    assert "[run with" not in call("reproduce", "fake", "--device", "cpu").out


def test_absent_instance_files_are_named_once_with_where_they_belong(call, fake, monkeypatch, tmp_path):
    def measured(options):
        for name in ("b5", "a4", "b5"):
            yield Row("fake", stand_in(5, name).name if public(name) is None else name, 5, "cpu", 1.0, "s")

    tables = tuple(Exhibit(f"table-{k}", f"Table {k}", "", measured) for k in (1, 2))
    monkeypatch.setattr(fake_paper, "PAPER", Paper("fake", "A. Nobody (1999)", tables))
    monkeypatch.setenv("WARPTOUR_DATA", str(tmp_path))
    done = call("reproduce", "fake", "--device", "cpu", "-o", "out")
    said = f"generated stand-ins took the place of tsp/a4.tsp, tsp/b5.tsp; these files belong in {tmp_path}, the folder"
    assert done.err.count("stand-ins") == 1 and said in done.err
    assert [done.out.count(f"uniform-5-1, stand-in for {name}") for name in ("a4", "b5")] == [2, 4]
    text = (tmp_path / "out" / "fake.md").read_text()
    assert said[1:] in text and said in json.loads((tmp_path / "out" / "fake.json").read_text())["absent"]
    monkeypatch.delenv("WARPTOUR_DATA")
    assert "WARPTOUR_DATA names; none is set" in call("reproduce", "fake", "--device", "cpu").err


def test_a_run_goes_on_where_it_stopped(call, fake, monkeypatch, tmp_path):
    command = ("reproduce", "fake", "--device", "cpu", "-o", "out")
    whole = fake_paper.PAPER
    monkeypatch.setattr(fake_paper, "PAPER", replace(whole, exhibits=(fake_paper.TABLE, fake_paper.BROKEN)))
    assert call(*command, "--resume").code == 70
    began = json.loads((tmp_path / "out" / "fake.json").read_text())["date"]
    mended = replace(fake_paper.BROKEN, measure=fake_paper.curve)
    never = replace(fake_paper.TABLE, measure=fake_paper.broken)
    monkeypatch.setattr(fake_paper, "PAPER", replace(whole, exhibits=(mended, never, fake_paper.FIGURE)))
    done = call(*command, "--resume")
    assert done.code == 0 and "Table 1: two rows (table-1): finished before" in done.out
    held = json.loads((tmp_path / "out" / "fake.json").read_text())
    assert [row["exhibit"] for row in held["rows"]] == ["table-6"] * 4 + ["table-1"] * 2 + ["figure-2"] * 4
    assert held["incomplete"] == {} and held["date"] == began
    text = (tmp_path / "out" / "fake.md").read_text()
    assert text.index("Table 6") < text.index("Table 1") and "123,456" in text


def test_resume_refuses_another_run_and_what_is_no_report(call, fake, tmp_path):
    assert "--resume needs --output" in call("reproduce", "fake", "--device", "cpu", "--resume").fault
    call("reproduce", "fake", "--device", "cpu", "-o", "out")
    done = call("reproduce", "fake", "--device", "cpu", "--quick", "-o", "out", "--resume")
    assert done.code == 2 and "is of `warptour reproduce fake --device cpu`" in done.fault
    for text in ("{", "[]", '{"rows": []}'):
        (tmp_path / "out" / "fake.json").write_text(text)
        done = call("reproduce", "fake", "--device", "cpu", "-o", "out", "--resume")
        assert done.code == 2 and "fake.json: this is no report of `reproduce`" in done.fault


def test_bench_explains_its_columns(call, monkeypatch):
    import warptour.papers.scans.suites.scan as scan

    monkeypatch.setattr(scan, "TOURS", {"cpu": (200,), "gpu": (200,)})
    monkeypatch.setattr(scan, "CLIMBS", {"cpu": (70,), "gpu": (70,)})
    out = call("bench", "scan", "--device", "cpu", "--threads", "1", "--quick").out
    assert "\npeer: Rocki (2013)" in out
