"""What Mavroidis (2011) counts comes out; how fast is not tested."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

import pytest

from warptour.bench import Options, Row
from warptour.devices.cpu import Cpu
from warptour.model.errors import MissingLibrary, UnsupportedError
from warptour.papers import choose, load
from warptour.papers.instances import stand_in
from warptour.papers.mavroidis.exhibits import arithmetic, chapter_2, chapter_6, placed
from warptour.papers.mavroidis.exhibits.annealing import as_printed
from warptour.papers.mavroidis.exhibits.machine import compared, list_two_opt, named
from warptour.papers.mavroidis.exhibits.printed import CHAPTER_6, TABLE_2
from warptour.papers.mavroidis.fpga import Machine, most_elements
from warptour.papers.mavroidis.fpga.rtl import Design, Placed

QUICK = Options("cpu", 1, quick=True)
EXHIBITS = {exhibit.name: exhibit for exhibit in load("mavroidis").exhibits}


def rows_of(name: str) -> list[Row]:
    return measured(name, os.environ.get("WARPTOUR_DATA"))


@cache
def measured(name: str, data: str | None) -> list[Row]:
    """Return the rows of an exhibit, measured once over the instances in a folder."""
    return list(EXHIBITS[name].measure(QUICK))


@pytest.fixture
def without_files(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("WARPTOUR_DATA", raising=False)


@pytest.mark.usefixtures("without_files")
@pytest.mark.parametrize("name", EXHIBITS)
def test_every_exhibit_is_quick_without_files_and_without_a_gpu(name: str) -> None:
    exhibit = EXHIBITS[name]
    rows = rows_of(name)
    assert rows and all(row.suite == "mavroidis" for row in rows)
    # Values of the thesis are for its own instances: none stands beside a uniform one.
    # Chapter 2 speaks of random instances.
    # Table 1, section 6.4 and figure 17 are about machines, not instances.
    about_machines = ("table-1", "section-6.4", "figure-17")
    assert name in ("stopping-rule", "chapter2", *about_machines) or all(row.peer is None for row in rows)
    for plot in exhibit.plots:
        assert any(plot.lines(rows).values())


def test_the_loops_of_table_2_are_those_of_the_thesis(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if not (data / "tsp" / "tsp225.tsp").exists():
        pytest.skip("no tsp225")
    monkeypatch.setenv("WARPTOUR_DATA", str(data))
    rows = {row.case: row for row in rows_of("table-2")}
    for name in ("eil51", "tsp225"):
        row = rows[f"{name}, loops"]
        assert row.value == row.peer == TABLE_2[name].loops
        assert rows[f"{name}, machine, predicted"].value == pytest.approx(TABLE_2[name].machine, rel=1e-3)


def test_a_cpu_stands_beside_his_cpu_and_errors_are_compared(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if not (data / "tsp" / "pr124.tsp").exists():
        pytest.skip("no pr124")
    monkeypatch.setenv("WARPTOUR_DATA", str(data))
    rows = {row.case: row for row in rows_of("chapter-6")}
    assert rows["pr124, 2-optimal, time"].peer == CHAPTER_6["pr124"].cpu_ms
    assert rows["pr124, 2-optimal, error"].peer == 3.1
    assert rows["pr124, 2-optimal, error"].value == pytest.approx(3.1, abs=0.1)
    assert rows["2-optimal, errors as printed, cut to their digits"].value == 2


def test_two_optimal_errors_are_those_of_cut_coordinates_and_unrounded_distances(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not (data / "tsp" / "d198.tsp").exists():
        pytest.skip("no d198")
    monkeypatch.setenv("WARPTOUR_DATA", str(data))
    found = {}
    for name in ("d198", "kroA200"):
        problem, _ = named(name, CHAPTER_6[name].n)
        found |= {row.case: row for row in chapter_6._errors(problem, CHAPTER_6[name], Cpu(1))}
    assert found["d198, 2-optimal, error"].value == pytest.approx(6.84, abs=0.005)
    assert not as_printed(found["kroA200, 2-optimal, error"].value, 12.3)
    other = found["kroA200, 2-optimal, error over 29,437, the optimum of kroB200"]
    assert as_printed(other.value, 12.3) and other.peer == 12.3


def test_printed_percentages_are_cut_not_rounded() -> None:
    assert as_printed(10.57, 10.5) and as_printed(10.84, 10) and as_printed(3.141, 3.1)
    assert not as_printed(10.62, 10.5) and not as_printed(10.48, 10.5) and not as_printed(9.99, 10)


@pytest.mark.parametrize("n", [8, 13, 30, 41])
def test_the_machine_in_other_arithmetic_makes_the_loops_of_the_reference(n: int) -> None:
    problem = stand_in(n).rounded("none")
    machine = Machine(*problem.points.T.tolist(), most_elements(n))
    machine.run()
    for each in arithmetic.ARITHMETICS:
        assert arithmetic.loops_in(problem, each, 10_000) == machine.loops
        assert arithmetic.loops_in(problem, each, machine.loops - 1) is None


@pytest.mark.usefixtures("without_files")
def test_tours_stand_beside_those_of_two_opt_alone_and_with_or_opt() -> None:
    rows = {row.case: row.value for row in rows_of("figure-8")}
    for n in (60, 100):
        each = compared(n)
        assert rows[f"{each.problem.name}, to 2-opt alone"] == 100 * each.run.cost / each.lists_two_opt
        assert rows[f"{each.problem.name}, to 2-opt and or-opt"] == 100 * each.run.cost / each.lists
        assert each.lists_two_opt == each.problem.rounded("none").cost(list_two_opt(each.problem.rounded("none")))


def test_table_1_places_the_six_sizes(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []

    def fake(design: Design) -> Placed:
        seen.append(design.n)
        return Placed(4000, 3000, design.elements, 0, 150.0, 1.0, 2.0)

    monkeypatch.setattr(placed, "place", fake)
    rows = {row.case: row for row in EXHIBITS["table-1"].measure(Options("cpu", 1))}
    assert seen == [52, 76, 100, 150, 225, 299]
    assert [row.value == row.peer for case, row in rows.items() if "multipliers" in case] == [True] * 12
    assert rows["pr299, slices, at least"].value == 2000 and rows["pr299, slices, at least"].peer == 18749
    assert rows["berlin52, clock"].peer == 184


def test_other_units_are_placed_too(monkeypatch: pytest.MonkeyPatch) -> None:
    def fake(design: Design) -> Placed:
        return Placed(9000, 8000, design.elements, 4 if design.annealing else 0, 100.0, 1.0, 2.0)

    monkeypatch.setattr(placed, "place", fake)
    rows = {(row.case, row.n): row.value for row in EXHIBITS["placed-units"].measure(Options("cpu", 1))}
    assert rows["root units of one stage, loop", 52] == 185 and rows["root units of five stages, loop", 76] == 89
    assert rows["figure 5, 13 of 25 elements, loop", 100] == 175
    assert rows["root units, annealing, 18-kbit memories", 52] == 4
    assert rows["figure 5, 7 of 13 elements, multipliers, placed", 52] == 7


def test_table_1_without_the_tools_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(design: Design) -> Placed:
        raise MissingLibrary("pip install 'warptour[fpga]'")

    monkeypatch.setattr(placed, "place", missing)
    with pytest.raises(UnsupportedError, match="fpga"):
        list(EXHIBITS["table-1"].measure(Options("cpu", 1)))


def test_the_model_of_capacity_is_his() -> None:
    rows = rows_of("section-6.4")
    assert rows[0].value == pytest.approx(53_000, rel=0.01) and rows[0].peer == 53_000
    assert 2048 < rows[4].value < rows[3].value < rows[2].value < rows[1].value


def test_blocks_are_counted_as_in_figure_13() -> None:
    rows = {row.case: row for row in rows_of("figure-17")}
    assert rows["201 cities, blocks of 15"].value == rows["201 cities, blocks of 15"].peer == 7
    assert rows["2103 cities, blocks of 35"].value == 31 and rows["2103 cities, blocks of 35"].peer == 30


@pytest.mark.usefixtures("without_files")
def test_his_cooling_gives_the_same_tours_in_both_forms() -> None:
    costs = {row.case.partition(", ")[2]: row.value for row in rows_of("figure-19") if "quality" in row.case}
    for temperatures in (25, 50):
        case = f"{temperatures} temperatures: quality"
        assert costs[f"his cooling, blocks, {case}"] == costs[f"his cooling, one group, {case}"]


def test_an_exhibit_has_its_name_without_hyphens_too() -> None:
    assert choose(load("mavroidis"), ["table1"]) == choose(load("mavroidis"), ["table-1"]) == [EXHIBITS["table-1"]]


def test_the_rule_of_the_thesis_leaves_moves_and_one_more_loop_does_not() -> None:
    after_rule, after_more = rows_of("stopping-rule")
    assert after_rule.value > 0 and after_rule.peer == 0
    assert after_more.value == 0


def test_an_instance_is_measured_once_for_all_figures() -> None:
    assert compared(60) is compared(60)
    assert 0 < compared(60).near <= 1


@pytest.mark.usefixtures("without_files")
def test_constructions_are_about_as_far_above_the_bound_as_stated() -> None:
    rows = [row for row in rows_of("chapter2") if row.peer is not None]
    assert len(rows) >= 8
    assert all(abs(row.value - row.peer) < 2 for row in rows if row.peer)


@pytest.mark.long
def test_the_bound_of_a_file_is_as_far_below_its_optimum_as_stated(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if not (data / "tsp" / "pr1002.tsp").exists():
        pytest.skip("no pr1002")
    monkeypatch.setenv("WARPTOUR_DATA", str(data))
    monkeypatch.setattr(chapter_2, "QUICK_SECONDS", 15.0)  # a busy machine needs more than two
    rows = {row.case: row for row in EXHIBITS["chapter2"].measure(QUICK)}
    below = rows["Held-Karp, pr1002: below the optimum"]
    assert below.peer == 0.8
    assert 0.8 < below.value < 1.0


def test_small_parts_lose_quality() -> None:
    lost = {row.case: row.value for row in rows_of("partitions")}
    assert lost["karp, 2-opt, parts of 2000: lost"] == 0
    assert lost["karp, 2-opt, parts of 250: lost"] > 0
