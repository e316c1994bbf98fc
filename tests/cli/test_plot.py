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


def test_a_solution_is_plotted(call, tmp_path):
    pytest.importorskip("matplotlib", reason="Matplotlib is not installed")
    assert call("solve", "uniform:50:1", "--iterations", "3", "--plot", "a.pdf", "-q").code == 0
    assert (tmp_path / "a.pdf").read_bytes().startswith(b"%PDF")
    assert "one of .svg, .png, .pdf" in call("solve", "uniform:50:1", "--plot", "a.txt").fault
