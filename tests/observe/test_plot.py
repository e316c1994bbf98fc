"""Plots by Matplotlib: solutions with names and a legend, traces, and what happens without the library."""

import sys
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest

from warptour.model.errors import InputError, MissingLibrary
from warptour.model.metric import METRICS
from warptour.model.problem import TSP
from warptour.model.vehicles import VRP
from warptour.observe.plot import check_plot, write_convergence, write_plot
from warptour.observe.trace_lines import Point, read_trace

PLACES = np.array([[52.5, 13.25], [52.5, 13.5], [52.25, 13.5]])
NAMES = ("Lager", "Kosten $5 und $6", "<b>Größe</b>")
PLAN = VRP("plan", METRICS["GREAT_CIRCLE"], PLACES, labels=NAMES, demands=np.array([0, 2, 3]), capacity=4)
ROUTES = [np.array([1]), np.array([2])]
SIGNATURES = {".png": b"\x89PNG", ".pdf": b"%PDF", ".svg": b"<?xml"}


@pytest.fixture
def matplotlib():
    return pytest.importorskip("matplotlib", reason="Matplotlib is not installed")


def words(path):
    return [text for text in ElementTree.parse(path).getroot().itertext() if text.strip()]


@pytest.mark.parametrize("suffix", SIGNATURES)
def test_the_suffix_is_the_format(tmp_path, matplotlib, suffix):
    write_plot(tmp_path / f"a{suffix}", PLAN, ROUTES)
    assert (tmp_path / f"a{suffix}").read_bytes().startswith(SIGNATURES[suffix])


def test_names_and_routes_are_written_as_they_are(tmp_path, matplotlib):
    write_plot(tmp_path / "a.svg", PLAN, ROUTES)
    text = words(tmp_path / "a.svg")
    assert "1 Kosten $5 und $6" in text and "1 <b>Größe</b>" in text and "depot: Lager" in text
    assert "route 1: 1 stop, load 2 of 4, 33.85 km" in text and "plan: 98.98 km, 2 customers" in text


def test_many_cities_have_no_labels(tmp_path, matplotlib):
    problem = TSP("many", METRICS["EUC_2D"], np.random.default_rng(1).integers(0, 99, (80, 2)))
    write_plot(tmp_path / "a.svg", problem, np.arange(80))
    assert "start: 1" in words(tmp_path / "a.svg") and "79" not in words(tmp_path / "a.svg")


def test_an_svg_needs_no_library(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    check_plot("a.svg", PLAN)
    write_plot(tmp_path / "a.svg", PLAN, ROUTES)
    assert words(tmp_path / "a.svg") == []
    with pytest.raises(MissingLibrary, match=r"pip install 'warptour\[plot\]'"):
        check_plot("a.png", PLAN)


def test_convergence(tmp_path, matplotlib):
    traces = {"_a": [Point(0.0, 30.0), Point(1.0, 20.0, 10.0)], "b": [Point(0.5, 25.0)]}
    write_convergence(tmp_path / "a.svg", traces)
    assert {"a", "b", "lower bound", "cost", "seconds"} <= set(words(tmp_path / "a.svg"))
    write_convergence(tmp_path / "b.svg", traces, best=20, log_time=True)
    assert "% above 20" in words(tmp_path / "b.svg")


def test_a_trace_is_read_as_far_as_it_goes(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text('{"t": 0.5, "cost": 7, "iterations": 1}\n{"t": 1, "cost": 6, "lower_bound": 5}\n{"t": 2, "co')
    assert read_trace(path) == [Point(0.5, 7.0), Point(1.0, 6.0, 5.0)]


@pytest.mark.parametrize("text", ["[1]\n", '{"t": 1}\n', "x,y\n1,2\n", '{"t": 1, "cost": NaN}\n', '{"t": 1, "co'])
def test_what_is_no_trace(tmp_path, text):
    (tmp_path / "a.jsonl").write_text(text)
    with pytest.raises(InputError, match=r"a\.jsonl:1: a "):
        read_trace(tmp_path / "a.jsonl")
