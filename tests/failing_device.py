"""A device that fails in the middle of its work."""

from __future__ import annotations

from typing import Any

from warptour.devices import DeviceError
from warptour.devices.cpu import Cpu


class Failing(Cpu):
    """A CPU whose kernels fail after some launches, or which has no memory."""

    def __init__(self, launches: int, *, memory: bool = True) -> None:
        super().__init__(1)
        self.name = "failing"
        self.left = launches
        self.memory = memory

    def empty(self, shape: Any, dtype: Any) -> Any:
        if not self.memory:
            raise DeviceError("no room")
        return super().empty(shape, dtype)

    def build(self, *names: Any, **options: Any) -> Any:
        program = super().build(*names, **options)
        launch = program.launch

        def failing(*arguments: Any, **more: Any) -> None:
            self.left -= 1
            if self.left < 0:
                raise DeviceError("driver lost")
            launch(*arguments, **more)

        program.launch = failing  # type: ignore[method-assign]
        return program
