"""The exhibits of Ermis (2015): what does not depend on a machine is as printed, or differs as documented."""

from __future__ import annotations

from functools import cache
from math import comb

import numpy as np
import pytest

from cupy_stub import GPUS, StubCuda
from warptour.bench import Options, Row
from warptour.papers.ermis.engine.job_scans import PartitionScan, SharedScan
from warptour.papers.ermis.engine.job_tuning import tried_launches
from warptour.papers.ermis.exhibits import PAPER, worked_example
from warptour.papers.ermis.exhibits.best_launches import by_model, every_grid
from warptour.papers.ermis.exhibits.launches import APPENDIX_A, launches_of
from warptour.papers.ermis.exhibits.measuring import uniform
from warptour.papers.ermis.exhibits.printed import BEST, BLOCKS, OCCUPANCY
from warptour.papers.ermis.exhibits.three_opt_index import controlled, exact_i, first_wrong_root, root_i, triple
from warptour.papers.exhibit import Exhibit

EXHIBITS = {exhibit.name: exhibit for exhibit in PAPER.exhibits}
QUICK = Options("cpu", 2, quick=True)


@cache
def measured(name: str) -> tuple[Row, ...]:
    """Each exhibit is measured once."""
    return tuple(EXHIBITS[name].measure(QUICK))


def rows(name: str) -> dict[str, Row]:
    return {row.case: row for row in measured(name)}


@pytest.mark.parametrize("exhibit", PAPER.exhibits, ids=lambda exhibit: exhibit.name)
def test_every_exhibit_has_rows_and_plots(exhibit: Exhibit) -> None:
    found = list(measured(exhibit.name))
    assert found and all(row.suite == "ermis" and row.value >= 0 and row.unit for row in found)
    cases = [(row.case, row.n, row.device) for row in found]
    assert len(set(cases)) == len(cases)
    timed = [row for row in found if row.unit in ("ms", "times") and not row.case.startswith("one core, ")]
    assert all(row.peer is None for row in timed)  # a CPU does not stand beside her GPU
    for plot in exhibit.plots:
        lines = plot.lines(found)
        assert all(lines.values()) and "Ermiş (2015)" not in lines


def test_all_tables_and_figures_are_there() -> None:
    tables = {f"table-4.{k}" for k in range(1, 25)}
    others = {f"table-a-{k}" for k in range(1, 5)} | {f"figure-4.{k}" for k in range(8, 13)}
    planned = {f"chapter-5-{what}" for what in ("scans", "descents", "vns")}
    assert tables | others | planned | {"table-b-1", "table-b-2", "formula-4.3"} == set(EXHIBITS)


def test_more_neighbourhoods_end_no_higher() -> None:
    found = rows("chapter-5-descents")
    alone, together = (found[f"{names}: above the best"].value for names in ("2-opt", "2-opt,swap,relocate"))
    assert together == 0 <= alone


@pytest.mark.parametrize("name", ["table-4.8", "table-4.10", "table-4.11", "table-4.13", "table-4.19", "figure-4.10"])
def test_what_the_model_gives_is_what_she_prints(name: str) -> None:
    compared = [row for row in measured(name) if row.peer is not None]
    assert len(compared) >= 4 and all(row.value == row.peer for row in compared)


def test_predicted_launches_are_hers_apart_from_some_counts() -> None:
    odd = {
        (n, row.case, row.value, row.peer)
        for n, table in BEST.items()
        for best in table
        for row in by_model(n, PartitionScan if n >= 6000 else SharedScan, best)
        if row.value != row.peer
    }
    assert {(n, ours, hers) for n, _, ours, hers in odd} == {
        (1000, 244, 242), (1000, 488, 484), (1000, 976, 967), (15_000, 219_742, 219_741),
    }  # fmt: skip
    assert all("iterations" in case for _, case, *_ in odd)


def test_appendix_a_covers_all_jobs() -> None:
    assert {n: len(lines) for n, lines in APPENDIX_A.items()} == {500: 22, 1000: 33, 1500: 36, 2000: 38}
    short = [
        (n, line.block, line.grid)
        for n, lines in APPENDIX_A.items()
        for line in lines
        if line.block * line.grid * line.iterations < 0.99 * SharedScan.jobs(n)
    ]
    assert short == []
    gpu = StubCuda(GPUS[2])
    assert len(launches_of(500, gpu)) == 22 and all(launch.block in BLOCKS for launch, _ in launches_of(2000, gpu))


def test_the_worked_example_is_hers_but_for_what_it_says() -> None:
    odd = {}
    for exhibit in worked_example.EXHIBITS:
        found = measured(exhibit.name)
        assert found
        odd |= {(exhibit.name, row.case): (row.value, row.peer) for row in found if row.value != row.peer}
    assert odd == {
        ("table-4.2", "exchanges that change nothing"): (10, 9),
        ("table-4.18", "jobs in the partition of their ranges"): (36, 45),
        ("table-4.18", "jobs of row 10, beyond the ranges of table 4.17, which she counts to (6, 9]"): (9, None),
    }
    assert worked_example.exchanged(7, 3) != worked_example.exchanged(7, 4) == worked_example.as_printed(7, 4)


def test_launches_of_appendix_a_have_all_its_columns() -> None:
    found = measured("table-a-1")
    columns = ["kernel time", "minimised cost", "2-opt iterations", "CPU + GPU time"]
    assert [row.case.rpartition(": ")[2] for row in found] == columns * (len(found) // 4)
    costs, scans = ({row.value for row in found[k::4]} for k in (1, 2))
    assert len(costs) == len(scans) == 1 and 400 < scans.pop() < 700  # hers are 529 to 543
    gpu = StubCuda(GPUS[2])
    assert launches_of(500, gpu)[0][1] == (1024, 122, 1, 0.369, 16298, 530, 428)
    assert launches_of(2000, gpu)[-1][1] == (128, 1, 15618, 39.655, 61359, 2129, 84226)


def test_distances_are_cut_to_integers() -> None:
    problem = uniform(500)
    gap = (problem.points[:, None] - problem.points[None]).astype(np.int64)
    square = (gap * gap).sum(axis=-1)
    table = problem.distances(np.arange(500)[:, None], np.arange(500)[None, :])
    assert (table * table <= square).all() and ((table + 1) ** 2 > square).all()


def test_an_exhaustive_search_has_what_the_tuner_tries_and_more() -> None:
    device = StubCuda(GPUS[2])
    for n in OCCUPANCY:
        predicted = SharedScan.launches(device, n)
        every = {each for launch in predicted for each in every_grid(SharedScan, device, n, launch)}
        assert set(predicted) <= every and len(every) > 2 * len(tried_launches(SharedScan, device, n))


def test_triples_are_exact() -> None:
    listed = [(i, j, k) for i in range(2, 40) for j in range(1, i) for k in range(j)]
    assert [triple(number) for number in range(len(listed))] == listed
    for i in (10**3, 10**5, 10**7):
        assert triple(comb(i, 3)) == (i, 1, 0) and triple(comb(i, 3) - 1) == (i - 1, i - 2, i - 3)


def test_formula_4_8_fails_where_she_says() -> None:
    found = rows("table-4.23")
    assert "wrong in [3276, 3653], float64: 3652 3653" in found
    assert "wrong in [30856, 32508], float64: 32505 32506 32507 32508" in found
    assert all(row.value == row.peer for row in found.values() if row.peer is not None)
    assert found["first wrong id, float32, 1/9"].value == 219
    assert found["wrong ids below 32,509, exact integers"].value == 0


def test_formula_4_9_has_a_3_for_a_1() -> None:
    found = rows("table-4.22")
    assert found["formulas 4.8 to 4.10 as printed"].value < 20
    assert found["with 1 for 3 in formula 4.9"].value == 20 == found["exact integers"].value


def test_the_mended_formula_is_right_and_two_triples_are_misprinted() -> None:
    found = rows("table-4.24")
    assert all(row.value == 0 for case, row in found.items() if "control" in case)
    assert "misprinted triples, ids 4 10" in found
    ids = np.arange(1, 5000)
    i, j, k = controlled(ids)
    assert (i == exact_i(ids)).all()
    assert list(zip(i.tolist(), j.tolist(), k.tolist(), strict=True)) == [triple(number) for number in ids.tolist()]


def test_a_float32_root_fails_at_4096_cities() -> None:
    assert first_wrong_root() == 8_386_559 == 4096 * 4095 // 2 - 1
    assert root_i(np.array([8_386_559]))[0] == 4097  # it should be 4096, so that j = 0, before the first position
    assert first_wrong_root(np.float64) is None
    before = np.arange(8_386_000, 8_386_559)
    assert (root_i(before) == 4096).all()
