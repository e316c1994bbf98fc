"""What a user says of vehicles, over or instead of a file."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Annotated, Any, Final

from warptour.model.errors import UsageError
from warptour.model.option import Option
from warptour.model.quantities import finite_number, whole_number
from warptour.model.vehicles import MAX_VEHICLES

VEHICLES: Final = "Vehicles"
"""Heading of these options in the help."""


@dataclass(frozen=True)
class VehicleOptions:
    """Vehicle data that overrides a file, or that a table of stops lacks; None if not given."""

    capacity: Annotated[float | None, Option("What one vehicle carries.", group=VEHICLES)] = None
    max_distance: Annotated[float | None, Option("Limit on a route's travel and service.", group=VEHICLES)] = None
    service_time: Annotated[
        float | None,
        Option("Service at each customer, in the unit of the distances, for --max-distance.", group=VEHICLES),
    ] = None
    vehicles: Annotated[int | None, Option("How many routes there may be.", group=VEHICLES)] = None
    fixed_cost: Annotated[float | None, Option("Cost of each vehicle used.", group=VEHICLES)] = None
    depot: Annotated[int | str | None, Option("The depot: its name, or its number from 1.", group=VEHICLES)] = None

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
