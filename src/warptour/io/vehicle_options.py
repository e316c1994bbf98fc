"""What a user says of vehicles, over or instead of a file."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

from warptour.model.errors import UsageError
from warptour.model.quantities import finite_number, whole_number
from warptour.model.vehicles import MAX_VEHICLES


@dataclass(frozen=True)
class VehicleOptions:
    """Vehicle data that overrides a file, or that a table of stops lacks; None if not given.

    Attributes
    ----------
    capacity : float
        Load that a vehicle can carry.
    max_distance : float
        Limit on the length of a route, service times included.
    service_time : float
        Time spent at each customer.
    vehicles : int
        Maximum number of routes.
    fixed_cost : float
        Cost per route.
    depot : int or str
        Name of a stop, or its row number from 1.
    """

    capacity: float | None = None
    max_distance: float | None = None
    service_time: float | None = None
    vehicles: int | None = None
    fixed_cost: float | None = None
    depot: int | str | None = None

    def given(self) -> dict[str, Any]:
        """Return the options that are not None, by name."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: value for name, value in values.items() if value is not None}

    def check(self) -> None:
        """Raise :class:`UsageError` if an option makes no sense."""
        for what, value in (("capacity", self.capacity), ("max distance", self.max_distance)):
            if value is not None and not (finite_number(value) or 0) > 0:
                raise UsageError(f"the {what} is {value}; it must be above 0")
        for what, value in (("service time", self.service_time), ("fixed cost", self.fixed_cost)):
            amount = 0 if value is None else finite_number(value)
            if amount is None or amount < 0:
                raise UsageError(f"the {what} is {value}; it must be at least 0")
        count = self.vehicles
        if count is not None and not 1 <= (whole_number(count) or 0) <= MAX_VEHICLES:
            raise UsageError(f"the number of vehicles is {count}; it must be at least 1 and at most {MAX_VEHICLES}")
