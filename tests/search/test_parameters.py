"""Parameters that make no sense are refused with one sentence, whatever the strategy."""

from __future__ import annotations

import math
from dataclasses import fields

import pytest

import warptour as wt
from warptour.model.errors import UsageError
from warptour.search.parameters import check_parameters
from warptour.strategies.registry import STRATEGIES

NUMBERS = [
    (name, field.name)
    for name, kind in STRATEGIES.items()
    for field in fields(kind)  # type: ignore[arg-type]
    if isinstance(field.default, int | float) and not isinstance(field.default, bool)
]


@pytest.mark.parametrize("name", STRATEGIES)
def test_defaults_are_in_range(name: str) -> None:
    assert check_parameters(STRATEGIES[name]()) is None


@pytest.mark.parametrize(("name", "field"), NUMBERS)
@pytest.mark.parametrize("value", [-1, math.nan, math.inf])
def test_negative_and_infinite_numbers_are_refused(name: str, field: str, value: float) -> None:
    problem = wt.read("uniform:20:1")
    with pytest.raises((UsageError, ValueError)):
        wt.solve(problem, STRATEGIES[name](**{field: value}), seconds=0.1)


@pytest.mark.parametrize(("name", "field"), NUMBERS)
def test_numbers_beyond_all_reason_are_refused_with_the_range(name: str, field: str) -> None:
    defaults = {"hot": 10**18} if field == "cold" else {}
    with pytest.raises((UsageError, ValueError), match=r"from .* to .*, not 1|from 0 to 1"):
        check_parameters(STRATEGIES[name](**defaults | {field: 10**18}))


def test_a_whole_number_is_no_fraction() -> None:
    with pytest.raises(UsageError, match=r"window is a whole number, not 100\.5"):
        check_parameters(wt.Windows(window=100.5))  # type: ignore[arg-type]


def test_windows_of_no_cities_are_refused() -> None:
    with pytest.raises(UsageError, match="window is from 8 to 2,147,483,647, not 0"):
        check_parameters(wt.Windows(window=0))


def test_the_parameters_of_a_group_have_ranges_too() -> None:
    with pytest.raises(UsageError, match=r"windows: disjoint\.window is from 8 to 32,000, not 5"):
        check_parameters(wt.Windows(disjoint=wt.DeviceWindows(window=5)))
