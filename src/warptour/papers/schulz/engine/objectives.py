"""The objectives and constraints of a giant tour, and the kernels that evaluate them.

A resource that no distance consumes, as capacity, has kernels of its own; all others share another.
"""

from __future__ import annotations

from dataclasses import dataclass

from warptour.papers.schulz.engine.instance import GiantInstance
from warptour.papers.schulz.engine.version import Version


@dataclass(frozen=True)
class Objective:
    """What one kernel evaluates.

    Attributes
    ----------
    name : str
        Names of the objectives and resources, joined by a plus.
    kernel : str
        Ending of the kernels' names and of their text's.
    resource : int or None
        Number of the resource that is looked at.
    """

    name: str
    kernel: str
    resource: int | None = None


def separate(instance: GiantInstance) -> tuple[Objective, ...]:
    """Return the objectives and constraints, one by one."""
    resources = (
        Objective(resource.name, "travel" if resource.travel else "load", number)
        for number, resource in enumerate(instance.resources)
    )
    return Objective("cost", "cost"), Objective("count", "count"), *resources


def evaluated(instance: GiantInstance, version: Version) -> tuple[Objective, ...]:
    """Return what the kernels of a version evaluate: combined, cost with a length and capacity with the count."""
    cost, count, *resources = separate(instance)
    if not version.combined:
        return cost, count, *resources
    load = next((one for one in resources if one.kernel == "load"), None)
    length = next((one for one in resources if one.kernel == "travel"), None)
    rest = (one for one in resources if one not in (load, length))
    first = Objective(f"cost+{length.name}", "cost_travel", length.resource) if length else cost
    second = Objective(f"{load.name}+count", "load_count", load.resource) if load else count
    return first, second, *rest
