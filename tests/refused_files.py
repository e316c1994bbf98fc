"""Files that are refused with one line."""

from __future__ import annotations

from pathlib import Path

import pytest

from warptour.io import read
from warptour.model.errors import InputError


def assert_refused(path: Path, text: str, line: int, message: str) -> None:
    """Assert that a problem with this text is refused for what stands in its ``line``."""
    path.write_text(text)
    with pytest.raises(InputError, match=message) as caught:
        read(path)
    assert str(caught.value).startswith(f"{path}:{line}: ") and str(caught.value).isprintable()
