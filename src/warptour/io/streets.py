"""Travel between the stops of a problem by streets: of an extract, or as a server of the user says."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from os import PathLike
from typing import Annotated, Final

from warptour.model.errors import InputError, UsageError
from warptour.model.metric import Floats
from warptour.model.option import Option
from warptour.model.problem import TSP
from warptour.model.quantities import finite_number
from warptour.model.streets import Streets
from warptour.model.vehicles import VRP

TRAVEL: Final = "Roads and times"
"""Heading of the options of roads and times in the help."""
WAYS: Final = ("roads", "osrm", "valhalla")
"""Options that say where streets come from."""


@dataclass(frozen=True)
class RoadOptions:
    """The streets between the stops in a file."""

    roads: Annotated[
        str | PathLike[str] | None,
        Option(
            "Drive along the streets of an OpenStreetMap extract: region.osm.pbf.", metavar="FILE.osm.pbf", group=TRAVEL
        ),
    ] = None
    profile: Annotated[
        str | None, Option("Who drives.", metavar="car|van|truck|bicycle|foot|FILE.toml", group=TRAVEL)
    ] = None
    snap: Annotated[
        float | None, Option("How far a stop may be from its street; 1000 by default.", metavar="METRES", group=TRAVEL)
    ] = None
    traffic: Annotated[
        str | PathLike[str] | None,
        Option("Speed by hour and class of street, as factors.", metavar="FILE.csv", group=TRAVEL),
    ] = None
    osrm: Annotated[str | None, Option("Ask this OSRM server for travel.", metavar="URL", group=TRAVEL)] = None
    valhalla: Annotated[str | None, Option("Ask this Valhalla server for travel.", metavar="URL", group=TRAVEL)] = None

    @property
    def by_roads(self) -> bool:
        """Whether travel is by streets."""
        return any(getattr(self, name) is not None for name in WAYS)

    def check_roads(self, *others: str) -> None:
        """Raise :class:`UsageError` if options contradict each other, or ``others`` that say how travel is."""
        given = [f"--{name}" for name in (*WAYS, *others) if getattr(self, name) is not None]
        if self.by_roads and len(given) > 1:
            raise UsageError(f"{given[0]} and {given[1]} contradict each other; give one of them")
        for name in ("snap", "traffic"):
            if getattr(self, name) is not None and self.roads is None:
                raise UsageError(f"--{name} is for --roads, an extract")
        if self.profile is not None and not self.by_roads:
            raise UsageError("--profile is for --roads, --osrm and --valhalla")
        limit = 0 if self.snap is None else finite_number(self.snap)
        if limit is None or limit < 0:
            raise UsageError(f"the way from a stop to its street is at most {self.snap} m; it must be at least 0")


def streets_of(problem: TSP | VRP, options: RoadOptions, notes: list[str]) -> Streets | None:
    """Return the streets between the stops of a problem that the options name, or None if they name none.

    ``notes`` receives a line per possible mistake.
    """
    if not options.by_roads:
        return None
    if problem.metric.norm != "great_circle":
        raise UsageError(f"{problem.name} has no latitudes and longitudes, which roads need (lat,lon, or --latlon)")

    def called(node: int) -> str:
        return problem.describe(node, "stop")

    try:
        return streets_between(problem.points, options, called, notes)
    except InputError as error:
        if error.path is None:
            raise InputError(error.message, problem.name) from None
        raise


def streets_between(
    places: Floats, options: RoadOptions, called: Callable[[int], str], notes: list[str] | None = None
) -> Streets:
    """Return the streets between latitudes and longitudes that the options name; ``called`` names one for messages."""
    profile = options.profile or "car"
    if options.roads is not None:
        from warptour.roads.tables import LIMIT, matrix

        return matrix(
            places, options.roads, profile=profile, limit=LIMIT if options.snap is None else options.snap,
            traffic=options.traffic, note=None if notes is None else notes.append, called=called,
        )  # fmt: skip
    from warptour.roads.servers import osrm, valhalla

    if options.osrm is not None:
        return osrm(places, options.osrm, profile=profile, called=called)
    return valhalla(places, str(options.valhalla), profile=profile, called=called)
