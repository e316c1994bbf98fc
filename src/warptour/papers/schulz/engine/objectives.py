"""The objectives and constraints of a giant tour, and the kernels that evaluate them.

A resource that no distance consumes, as capacity, has kernels of its own; all others share another.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from warptour.papers.schulz.engine.instance import GiantInstance
from warptour.papers.schulz.engine.version import Version


@dataclass(frozen=True)
class Objective:
    """What one kernel evaluates."""

    name: str  # names of the objectives and resources, joined by a plus
    kernel: str  # ending of the kernels' names
    resource: int | None = None  # number of the resource that is looked at
    beside: int | None = None  # number of a length that a kernel of ``giant_fitness_mixed.c`` looks at
    bits: int = 0  # which objectives such a kernel evaluates; 0 for other kernels

    @property
    def text(self) -> str:
        """Text of the kernels."""
        return "giant_fitness_mixed" if self.bits else f"giant_fitness_{self.kernel}"


BITS: Final = {"cost": 1, "count": 2, "load": 4, "travel": 8}
"""Bit of each kernel's objective in ``giant_fitness_mixed.c``."""

KERNELS: Final = {"cost": "cost", "length": "travel", "capacity": "load", "count": "count"}
"""Kernel of each name in ``Version.together``; of several resources that distances consume, the first."""

OWN: Final = {9: "cost_travel", 6: "load_count"}
"""Pairs that have kernels of their own, by their bits."""


def separate(instance: GiantInstance) -> tuple[Objective, ...]:
    """Return the objectives and constraints, one by one."""
    resources = (
        Objective(resource.name, "travel" if resource.travel else "load", number)
        for number, resource in enumerate(instance.resources)
    )
    return Objective("cost", "cost"), Objective("count", "count"), *resources


def evaluated(instance: GiantInstance, version: Version) -> tuple[Objective, ...]:
    """Return what the kernels of a version evaluate: combined, cost with a length and capacity with the count."""
    every = separate(instance)
    found: tuple[Objective, ...] = every
    for names in (("cost", "length"), ("capacity", "count")) if version.combined else (version.together,):
        firsts = (next((one for one in every if one.kernel == KERNELS[name]), None) for name in names)
        found = together(found, [one for one in firsts if one is not None])
    return found


def together(every: tuple[Objective, ...], some: list[Objective]) -> tuple[Objective, ...]:
    """Return all objectives, of which one kernel evaluates ``some``, each of another kind."""
    if len(some) < 2:
        return every
    bits = sum(BITS[one.kernel] for one in some)
    load, length = (next((one.resource for one in some if one.kernel == kind), None) for kind in ("load", "travel"))
    name = "+".join(one.name for one in some)
    if bits in OWN:
        joint = Objective(name, OWN[bits], load if load is not None else length)
    else:
        joint = Objective(name, f"mixed_{bits}", load, length, bits)
    kept = [one for one in every if one not in some]
    return *kept, joint
