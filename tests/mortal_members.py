"""Members of a crew that die, and what tests of crews look at."""

from __future__ import annotations

from typing import Any

import numpy as np

from warptour.cluster.links.link import LostError
from warptour.cluster.links.threads import ThreadLink, hire
from warptour.cluster.messages import Quit
from warptour.devices.cpu import Cpu
from warptour.observe.events import Event, Note


class Mortal:
    """A link to a thread that is lost, or falls silent, after some messages."""

    sent = received = 0

    def __init__(self, messages: int, *, silent: bool = False) -> None:
        self._link: ThreadLink = hire(Cpu(1))
        self.name = "mortal"
        self._left = messages
        self._silent = silent

    def send(self, message: object) -> None:
        self._link.send(message)

    def receive(self, seconds: float) -> object | None:
        message = self._link.receive(seconds)
        if message is not None:
            self._left -= 1
        if self._left >= 0:
            return message
        if self._silent:
            return None
        raise LostError("mortal has died")

    def close(self) -> None:
        self._link.send(Quit())


def device(name: str) -> Cpu:
    """Return a CPU by another name."""
    cpu = Cpu(1)
    cpu.name = name
    return cpu


def notes(heard: list[Event]) -> list[str]:
    """Return the sentences among events."""
    return [event.text for event in heard if isinstance(event, Note)]


def same(one: Any, other: Any) -> bool:
    """Return whether two tours, or lists of routes, are equal."""
    return all(np.array_equal(a, b) for a, b in zip(one, other, strict=True))
