"""``solve --plot`` and ``warptour plot``."""

import pytest


def test_traces_are_plotted(call, tmp_path):
    pytest.importorskip("matplotlib", reason="Matplotlib is not installed")
    for seed in ("1", "2"):
        call("solve", "uniform:50:1", "--iterations", "3", "--seed", seed, "--trace", f"{seed}.jsonl", "-q")
    done = call("plot", "1.jsonl", "2.jsonl", "-o", "a.png", "--best", "100", "--log")
    assert (done.code, done.out) == (0, "2 traces plotted in a.png\n")
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")
    assert "the suffix says the format" in call("plot", "1.jsonl", "-o", "a.gif").fault
    assert "none.jsonl: no such file" in call("plot", "none.jsonl", "-o", "a.png").fault


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ('{"t": 1, "cost": %s}' % ("9" * 4000), "a trace has finite numbers"),
        ('{"t": 1, "cost": %s}' % ("9" * 5000), "a line of a trace is"),
        ('{"event": "note", "t": 1, "text": "\\ud800"}', "a trace has Unicode text"),
        ('{"event": "note", "t": 1, "text": "", "a": %s}' % ("[" * 900 + "]" * 900), "a trace has at most 20 levels"),
    ],
)
def test_a_line_that_cannot_be_shown_is_one_fault(call, tmp_path, line, fault):
    pytest.importorskip("matplotlib", reason="Matplotlib is not installed")
    (tmp_path / "a.jsonl").write_text(f'{{"t": 0, "cost": 5}}\n{line}\n')
    for words in (["plot", "a.jsonl", "-o", "a.png"], ["view", "a.jsonl", "--no-browser"]):
        done = call(*words)
        assert done.code == 2 and done.fault.startswith("a.jsonl:2: " + fault)


def test_a_solution_is_plotted(call, tmp_path):
    pytest.importorskip("matplotlib", reason="Matplotlib is not installed")
    assert call("solve", "uniform:50:1", "--iterations", "3", "--plot", "a.pdf", "-q").code == 0
    assert (tmp_path / "a.pdf").read_bytes().startswith(b"%PDF")
    assert "one of .svg, .png, .pdf" in call("solve", "uniform:50:1", "--plot", "a.txt").fault


def test_the_view_reads_no_options_without_a_file_or_of_a_trace(call, tmp_path):
    pytest.importorskip("starlette", reason="needs Starlette: pip install 'warptour[web]'")
    (tmp_path / "run.jsonl").write_text('{"t": 0.1, "cost": 3, "iterations": 1}\n')
    line = "run.jsonl is a trace, so --capacity cannot apply"
    assert call("view", "run.jsonl", "--capacity", "3", "--no-browser").fault == line
    assert call("view", "--capacity", "3", "--no-browser").fault == "there is no file, so --capacity cannot apply"
    assert call("view", "--roads", "nowhere.osm.pbf", "--speed", "3", "--no-browser").code == 2
