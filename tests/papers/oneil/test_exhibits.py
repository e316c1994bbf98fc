"""The exhibits of O'Neil and Burtscher (2015) have a row for every rung; how fast is not tested."""

from __future__ import annotations

from pathlib import Path

import pytest

from cupy_stub import GPUS, StubCuda
from warptour.bench import Options, Row
from warptour.devices.cpu import Cpu
from warptour.papers.oneil.engine.rungs import ONEIL
from warptour.papers.oneil.exhibits import PAPER, rates, slides
from warptour.papers.oneil.exhibits.slides import SIZES, _whole, first_cities, sizes

QUICK = Options("cpu", 1, quick=True)
EXHIBITS = {exhibit.name: exhibit for exhibit in PAPER.exhibits}
RUNGS = [rung.name for rung in ONEIL] + ["diagonal"]


@pytest.fixture(autouse=True)
def forget_instance(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without instance files, unless a test sets their folder; short measurements."""
    monkeypatch.delenv("WARPTOUR_DATA", raising=False)
    monkeypatch.setattr(rates, "QUICK_SECONDS", 0.01)
    _whole.cache_clear()


def rows_of(name: str, options: Options = QUICK) -> list[Row]:
    return list(EXHIBITS[name].measure(options))


def test_every_rung_has_a_throughput() -> None:
    rows = rows_of("throughput")
    cases = [(row.case, row.n) for row in rows]
    for n in (100, 200):
        taken = [name for name in RUNGS if n == 100 or name != "matr_s"]  # 110 cities at most
        assert [case for case, size in cases if size == n] == [f"{name} on 1 cores, uniform {n}" for name in taken]
    assert all(row.value > 0 and row.unit == "Gmoves/s" and row.peer is None for row in rows)
    (plot,) = EXHIBITS["throughput"].plots
    assert [x for x, _ in plot.lines(rows)["tuned on 1 cores"]] == [100, 200]


def test_every_rung_has_a_time_to_its_first_minimum(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = rows_of("first-minimum", Options("cpu", 1, quick=True, first=100))
    assert len(rows) == len(RUNGS) and all(row.value > 0 and row.unit == "ms" for row in rows)
    monkeypatch.setattr(slides, "QUICK_SECONDS", 0.0)
    assert rows_of("first-minimum", Options("cpu", 1, quick=True, first=100)) == []


def test_tuned_is_compared_with_every_other_rung() -> None:
    rows = rows_of("ratios", Options("cpu", 1, quick=True, first=100))
    for tuned in ("tuned", "tuned_printed"):
        assert [row.case.split()[2] for row in rows if row.case.startswith(f"{tuned} over")] == [
            name for name in RUNGS if name != tuned
        ]
    (ours,) = (row.value for row in rows if row.case.startswith("tuned over tuned_printed"))
    (theirs,) = (row.value for row in rows if row.case.startswith("tuned_printed over tuned "))
    assert ours * theirs == pytest.approx(1)
    assert all(row.value > 0 and row.unit == "times" and row.peer is None for row in rows)


def test_exhibits_say_which_loop_is_which_and_printed_ratios_stand_beside_the_printed_loop() -> None:
    assert all("`tuned_printed` have the loop of the slides" in exhibit.differs for exhibit in PAPER.exhibits)
    gpu, rungs = StubCuda(GPUS[2]), {rung.name: rung for rung in ONEIL}
    for name, peer in (("tuned", None), ("tuned_printed", 3.0)):
        tuned = rates.Contender(rungs[name], gpu)
        assert slides._printed_ratio(tuned, rates.Contender(rungs["calc"], gpu)) == peer
        on_cores = [
            slides._printed_ratio(tuned, rates.Contender(rungs[other], Cpu(1))) for other in ("tile", "tile_printed")
        ]
        assert on_cores == [None, 8.0 if peer else None]


def test_cities_are_the_first_of_d18512_where_it_is_at_hand(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert first_cities(100).name == "uniform 100"
    monkeypatch.setenv("WARPTOUR_DATA", str(data))
    _whole.cache_clear()
    problem = first_cities(100)
    assert problem.name == "d18512, first 100" and problem.n == 100
    assert (first_cities(200).points[:100] == problem.points).all()


def test_sizes_are_those_of_the_curves_or_one_that_is_chosen() -> None:
    assert sizes(Options()) == SIZES and sizes(QUICK) == (100, 200)
    assert sizes(Options(first=300)) == (300,)
