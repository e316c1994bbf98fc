"""Planted faults: each has its place in the source and tests that exist, and the program tells caught from survived."""

from __future__ import annotations

from pathlib import Path

import pytest

from planted.faults import FAULTS, Fault
from planted.plant import outcome


@pytest.mark.every_case
@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_every_fault_can_be_planted_and_names_tests(fault: Fault, root: Path) -> None:
    text = (root / "src" / "warptour" / fault.file).read_text(encoding="utf-8")
    assert text.count(fault.old) == 1
    assert fault.new != fault.old
    for test in fault.tests:
        path, _, name = test.partition("::")
        assert name, f"{test} names no test, whose loss nobody would notice"
        before, found, _ = (root / "tests" / path).read_text(encoding="utf-8").partition(f"def {name}(")
        assert found, test
        assert "mark.long\n" not in before.rpartition("\n\n")[2], f"{test} is none that `make test` runs"


def test_names_differ() -> None:
    assert len({fault.name for fault in FAULTS}) == len(FAULTS)


def test_a_fault_is_caught_by_its_tests_and_survives_others() -> None:
    fault = next(fault for fault in FAULTS if fault.name == "patience is ignored")
    assert outcome(fault, fault.tests) == "caught"
    assert outcome(fault, ["search/test_stop.py::test_patience_that_makes_no_sense"]) == "survived"
