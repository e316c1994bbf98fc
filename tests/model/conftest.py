"""Messages as the command line prints them: nodes count from 1, and options have their dashes."""

from collections.abc import Iterator

import pytest

from warptour.model.audience import at_the_command_line


@pytest.fixture(autouse=True)
def command_line() -> Iterator[None]:
    with at_the_command_line():
        yield
