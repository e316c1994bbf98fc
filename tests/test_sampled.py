"""Tests with many cases leave most of them to the long tests, never all."""

from __future__ import annotations

import pytest

from planted.faults import FAULTS
from sampled import FEW, SHARE, leave_to_long


class Item:
    """A case, as far as the choice looks at it."""

    def __init__(self, nodeid: str, *marks: str) -> None:
        self.nodeid, self.marks = nodeid, {*marks}

    def get_closest_marker(self, name: str) -> bool:
        return name in self.marks

    def add_marker(self, mark: pytest.MarkDecorator) -> None:
        self.marks.add(mark.name)


def kept(*items: Item) -> list[str]:
    leave_to_long(items)  # type: ignore[arg-type]
    return [item.nodeid for item in items if "long" not in item.marks]


def cases(count: int, device: str = "cpu", test: str = "tests/a.py::test") -> list[Item]:
    return [Item(f"{test}[{device}-{k}]") for k in range(count)]


def test_a_share_of_many_cases_is_run_on_each_device() -> None:
    found = kept(*cases(40), *cases(41, "opencl"), Item("tests/a.py::other"))
    assert sum("cpu" in name for name in found) == 40 / SHARE
    assert sum("opencl" in name for name in found) == 40 / SHARE + 1
    assert found[-1] == "tests/a.py::other"


def test_few_cases_are_all_run() -> None:
    assert len(kept(*cases(FEW))) == FEW and len(kept(*cases(FEW + 1))) == 1


def test_the_choice_does_not_depend_on_what_else_is_collected() -> None:
    alone = kept(*cases(20))
    assert [name for name in kept(*cases(9, test="tests/b.py::test"), *cases(20)) if "a.py" in name] == alone


def test_what_a_planted_fault_or_its_author_needs_is_run() -> None:
    needed = f"tests/{FAULTS[0].tests[0].partition('[')[0]}"
    marked = [Item(f"tests/a.py::test[{k}]", "every_case") for k in range(20)]
    assert len(kept(*cases(20, test=needed), *marked)) == 40
