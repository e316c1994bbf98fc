"""PyOpenCL that builds each text once for many tests."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any


class SharedPrograms:
    """The module ``pyopencl`` with one context for the same devices, and one program for the same text and options."""

    def __init__(self, cl: Any) -> None:
        self._cl = cl
        self._contexts: dict[tuple[Any, ...], Any] = {}
        self._programs: dict[tuple[Any, ...], Any] = {}

    def __getattr__(self, name: str) -> Any:
        return getattr(self._cl, name)

    def Context(self, devices: Sequence[Any]) -> Any:
        """Return the context of ``devices``."""
        key = tuple(devices)
        if key not in self._contexts:
            self._contexts[key] = self._cl.Context(devices)
        return self._contexts[key]

    def Program(self, context: Any, source: str) -> Text:
        """Return a text to build."""
        return Text(self._cl, context, source, self._programs)


@dataclass(frozen=True)
class Text:
    """A text to build, as a ``pyopencl.Program`` is before it is built."""

    cl: Any
    context: Any
    source: str
    programs: dict[tuple[Any, ...], Any] = field(repr=False)

    def build(self, options: Sequence[str]) -> Any:
        """Return the program that was built of this text with these options; a failure is not remembered."""
        key = self.context, self.source, *options
        if key not in self.programs:
            self.programs[key] = self.cl.Program(self.context, self.source).build(options)
        return self.programs[key]
