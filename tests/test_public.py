"""What a user imports: ``warptour.__all__`` is sorted, true and complete."""

from __future__ import annotations

from types import ModuleType

import warptour


def test_the_public_names_are_sorted() -> None:
    assert list(warptour.__all__) == sorted(set(warptour.__all__))


def test_every_public_name_is_there() -> None:
    assert [name for name in warptour.__all__ if not hasattr(warptour, name)] == []


def test_every_name_that_is_there_is_public() -> None:
    present = {
        name
        for name, value in vars(warptour).items()
        if not name.startswith("_") and name != "annotations" and not isinstance(value, ModuleType)
    }
    assert sorted(present - set(warptour.__all__)) == []
