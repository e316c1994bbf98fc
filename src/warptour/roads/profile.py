"""Profiles: which ways a vehicle may use, in which direction and how fast, as data in ``profiles/*.toml``."""

from __future__ import annotations

import hashlib
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from warptour.model.errors import UsageError

FOLDER: Final = Path(__file__).with_name("profiles")
PROFILES: Final = ("car", "van", "truck", "bicycle", "foot")

FERRY: Final = "ferry"
"""Class of ferries, beside the values of ``highway``."""
KMH_PER_MPH: Final = 1.609344
METRES_PER_FOOT: Final = 0.3048
SPEED: Final = re.compile(r"(\d+(?:\.\d+)?)\s*(mph|km/h|kmh|knots)?")
SIZE: Final = re.compile(r"(\d{1,9}(?:\.\d{1,9})?)\s{0,9}(m|t|ft|')?\s{0,9}(?:(\d{1,9})\s{0,9}(?:\"|in))?")
DURATION: Final = re.compile(r"(?:(\d+):)?(\d+):(\d+)|(\d+)")
WALKING: Final = 6.0
"""Speed in km/h of ``maxspeed=walk``."""
ROUNDABOUTS: Final = ("roundabout", "circular")
FORWARD: Final = ("yes", "true", "1")
BACKWARD: Final = ("-1", "reverse")
OPPOSITE: Final = ("opposite", "opposite_lane", "opposite_track")

Tags = Mapping[str, str]


@dataclass(frozen=True)
class Passage:
    """How a way is used: its class, km/h along it and against it (0 where that is forbidden), seconds of a ferry."""

    kind: str
    forward: float
    backward: float
    seconds: float | None = None


@dataclass(frozen=True)
class Profile:
    """A vehicle; ``profiles/car.toml`` describes the fields."""

    name: str
    digest: str
    limit: float
    fastest: float
    oneway: bool
    access: tuple[str, ...]
    denied: frozenset[str]
    turns: tuple[str, ...]
    barriers: frozenset[str]
    ferry: float
    speeds: dict[str, float]
    permitted: dict[str, float] = field(default_factory=dict)
    size: dict[str, float] = field(default_factory=dict)

    @property
    def classes(self) -> list[str]:
        """Classes of ways, in the order of their numbers."""
        return [*self.speeds, *self.permitted, FERRY]

    def passage(self, tags: Tags) -> Passage | None:
        """Return how a way with these tags is used, or None if it is not."""
        allowed = self._allowed(tags)
        if allowed is False or self._too_small(tags):
            return None
        highway = tags.get("highway")
        if highway is None:
            if tags.get("route") != FERRY:
                return None
            return Passage(FERRY, self.ferry, self.ferry, _seconds(tags.get("duration")))
        speed = self.speeds.get(highway)
        if speed is None and allowed:
            speed = self.permitted.get(highway)
        if speed is None or tags.get("area") == "yes":
            return None
        ways = [self._driven(tags, direction, speed) for direction in ("forward", "backward")]
        along, against = self._directions(tags)
        return Passage(highway, ways[0] * along, ways[1] * against)

    def is_blocked(self, tags: Tags) -> bool:
        """Return whether a node with these tags cannot be passed."""
        return "barrier" in tags and (
            self._allowed(tags) is False or (tags["barrier"] in self.barriers and self._allowed(tags) is None)
        )

    def _allowed(self, tags: Tags) -> bool | None:
        """Return whether the most specific tag of access lets the vehicle in; None if there is none."""
        for key in self.access:
            value = tags.get(key)
            if value is not None:
                return value not in self.denied
        return None

    def _too_small(self, tags: Tags) -> bool:
        for key, own in self.size.items():
            value = tags.get(key)
            if value is not None and (limit := _amount(value)) is not None and limit < own:
                return True
        return False

    def _driven(self, tags: Tags, direction: str, speed: float) -> float:
        """Return the speed in km/h along a way, by what is posted or else by its class."""
        posted = _posted(tags.get(f"maxspeed:{direction}") or tags.get("maxspeed"))
        if posted is not None:
            speed = posted * self.limit
        return max(1.0, min(speed, self.fastest))

    def _directions(self, tags: Tags) -> tuple[bool, bool]:
        """Return whether a way may be used along the order of its nodes, and against it."""
        if not self.oneway:
            return True, True
        own = next((tags[f"oneway:{key}"] for key in self.access if f"oneway:{key}" in tags), None)
        if own is None and "bicycle" in self.access and tags.get("cycleway") in OPPOSITE:
            own = "no"
        value = own or tags.get("oneway")
        if value in FORWARD:
            return True, False
        if value in BACKWARD:
            return False, True
        implied = tags.get("junction") in ROUNDABOUTS or tags.get("highway") == "motorway"
        return True, value == "no" or not implied


def profile_of(name: str) -> Profile:
    """Return a profile by its name or the path of a ``.toml`` file."""
    path = FOLDER / f"{name}.toml" if name in PROFILES else Path(name)
    if name not in PROFILES and path.suffix.lower() != ".toml":
        raise UsageError(f"there is no profile {name!r}; there are {', '.join(PROFILES)}, or a .toml file of yours")
    try:
        data = path.read_bytes()
        fields = tomllib.loads(data.decode("utf-8"))
    except (OSError, ValueError) as error:
        raise UsageError(f"the profile {name} cannot be read: {error}") from None
    for key in ("access", "turns"):
        fields[key] = tuple(fields.get(key, ()))
    for key in ("denied", "barriers"):
        fields[key] = frozenset(fields.get(key, ()))
    digest = hashlib.sha256(data).hexdigest()[:16]
    try:
        profile = Profile(path.stem, digest, **fields)
        rates = [profile.limit, profile.fastest, profile.ferry, *profile.speeds.values(), *profile.permitted.values()]
        if not all(rate > 0 for rate in rates) or not profile.speeds:
            raise UsageError(f"the profile {name} has a speed that is not above 0")
    except (TypeError, AttributeError) as error:
        raise UsageError(f"the profile {name} does not have the fields of {FOLDER.name}/car.toml: {error}") from None
    return profile


def _posted(value: str | None) -> float | None:
    """Return a posted speed in km/h; None for words such as ``none`` or ``signals``."""
    if value is None:
        return None
    if value == "walk":
        return WALKING
    found = SPEED.fullmatch(value.strip())
    if found is None or float(found[1]) <= 0:
        return None
    return float(found[1]) * {"mph": KMH_PER_MPH, "knots": 1.852}.get(found[2] or "", 1.0)


def _amount(value: str) -> float | None:
    """Return a size in metres or tonnes."""
    found = SIZE.fullmatch(value.strip())
    if found is None:
        return None
    amount = float(found[1])
    return (amount + float(found[3] or 0) / 12) * METRES_PER_FOOT if found[2] in ("ft", "'") else amount


def _seconds(value: str | None) -> float | None:
    """Return the duration of a ferry: ``01:30`` and ``90`` are an hour and a half."""
    found = None if value is None else DURATION.fullmatch(value.strip())
    if found is None:
        return None
    if found[4] is not None:
        return 60.0 * int(found[4]) or None
    days_or_hours, middle, last = (int(part or 0) for part in found.groups()[:3])
    three = found[1] is not None  # hours:minutes:seconds
    return float(3600 * days_or_hours + 60 * middle + last if three else 3600 * middle + 60 * last) or None
