"""What ``make test`` runs of a test with many cases: a quarter of them, on each kind of device."""

from __future__ import annotations

import zlib
from collections import defaultdict
from collections.abc import Iterable
from typing import Final

import pytest

from planted.faults import FAULTS

FEW: Final = 3
"""Number of cases up to which all are run."""

SHARE: Final = 4
"""Of more, one in so many is run."""

KINDS: Final = {"cpu", "opencl", "cuda"}
NEEDED: Final = {f"tests/{name.split('[')[0]}" for fault in FAULTS for name in fault.tests}


def leave_to_long(items: Iterable[pytest.Item]) -> None:
    """Mark the other cases as long: the same ones always, whatever else is collected.

    Tests that a planted fault needs, and those marked ``every_case``, keep all of theirs.
    """
    cases: dict[tuple[str, ...], list[pytest.Item]] = defaultdict(list)
    for item in items:
        test, _, parameters = item.nodeid.partition("[")
        spared = not parameters or test in NEEDED or item.get_closest_marker("every_case")
        if not spared and not item.get_closest_marker("long"):
            cases[test, *sorted(KINDS.intersection(parameters.rstrip("]").split("-")))].append(item)
    for several in cases.values():
        if len(several) > FEW:
            several.sort(key=lambda item: zlib.crc32(item.nodeid.encode()))
            for item in several[-(-len(several) // SHARE) :]:
                item.add_marker(pytest.mark.long)
