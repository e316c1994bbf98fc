"""What the tags of a way mean to each vehicle."""

from __future__ import annotations

import pytest

from warptour.model.errors import UsageError
from warptour.roads.profile import PROFILES, Passage, profile_of

CAR = profile_of("car")


@pytest.mark.parametrize(
    ("tags", "expected"),
    [
        ({"highway": "residential"}, (30, 30)),
        ({"highway": "residential", "oneway": "yes"}, (30, 0)),
        ({"highway": "residential", "oneway": "-1"}, (0, 30)),
        ({"highway": "residential", "oneway": "yes", "oneway:motor_vehicle": "no"}, (30, 30)),
        ({"highway": "residential", "junction": "roundabout"}, (30, 0)),
        ({"highway": "motorway"}, (110, 0)),
        ({"highway": "motorway", "oneway": "no"}, (110, 110)),
        ({"highway": "primary", "maxspeed": "50"}, (45, 45)),
        ({"highway": "primary", "maxspeed": "30 mph"}, (43.4523, 43.4523)),
        ({"highway": "primary", "maxspeed": "none"}, (70, 70)),
        ({"highway": "primary", "maxspeed": "0"}, (70, 70)),
        ({"highway": "primary", "maxspeed:forward": "100", "maxspeed": "50"}, (90, 45)),
        ({"highway": "motorway", "maxspeed": "200", "oneway": "yes"}, (130, 0)),
        ({"highway": "living_street", "maxspeed": "walk"}, (5.4, 5.4)),
        ({"highway": "residential", "access": "private"}, None),
        ({"highway": "residential", "access": "no", "motor_vehicle": "yes"}, (30, 30)),
        ({"highway": "residential", "access": "yes", "motorcar": "no"}, None),
        ({"highway": "residential", "access": "destination"}, (30, 30)),
        ({"highway": "footway"}, None),
        ({"highway": "footway", "motor_vehicle": "yes"}, None),
        ({"highway": "residential", "area": "yes"}, None),
        ({"building": "yes"}, None),
        ({"route": "ferry"}, (15, 15)),
        ({"route": "ferry", "motor_vehicle": "no"}, None),
        ({"route": "bus"}, None),
    ],
)
def test_a_car(tags: dict[str, str], expected: tuple[float, float] | None) -> None:
    passage = CAR.passage(tags)
    assert (passage and (passage.forward, passage.backward)) == (expected and pytest.approx(expected, rel=1e-6))


@pytest.mark.parametrize(
    ("text", "seconds"), [("00:12", 720), ("1:30", 5400), ("90", 5400), ("00:12:30", 750), ("P1D", None), ("0", None)]
)
def test_ferries_take_as_long_as_they_say(text: str, seconds: float | None) -> None:
    assert CAR.passage({"route": "ferry", "duration": text}) == Passage("ferry", 15, 15, seconds)


@pytest.mark.parametrize(
    ("profile", "tags", "open"),
    [
        ("truck", {"maxheight": "3.5"}, False),
        ("truck", {"maxheight": "3.5 m"}, False),
        ("truck", {"maxheight": "13'6\""}, True),
        ("truck", {"maxheight": "11'6\""}, False),
        ("truck", {"maxweight": "7.5"}, False),
        ("truck", {"maxweight": "40 t"}, True),
        ("truck", {"maxheight": "default"}, True),
        ("truck", {"hgv": "no"}, False),
        ("van", {"hgv": "no"}, True),
        ("van", {"maxheight": "2.5"}, False),
        ("car", {"maxheight": "2.5"}, True),
        ("bicycle", {"bicycle": "no"}, False),
        ("foot", {"foot": "no"}, False),
        ("foot", {"motor_vehicle": "no"}, True),
    ],
)
def test_who_may_use_a_street(profile: str, tags: dict[str, str], open: bool) -> None:
    assert (profile_of(profile).passage({"highway": "tertiary", **tags}) is not None) == open


def test_bicycles_may_use_a_footway_only_where_it_says_so() -> None:
    bicycle = profile_of("bicycle")
    assert bicycle.passage({"highway": "footway"}) is None
    assert bicycle.passage({"highway": "footway", "bicycle": "yes"}) == Passage("footway", 8, 8)
    against = bicycle.passage({"highway": "residential", "oneway": "yes", "oneway:bicycle": "no"})
    assert against is not None and against.backward == 17
    opposite = bicycle.passage({"highway": "residential", "oneway": "yes", "cycleway": "opposite_lane"})
    assert opposite is not None and opposite.backward == 17


def test_walkers_go_both_ways() -> None:
    assert profile_of("foot").passage({"highway": "residential", "oneway": "yes"}) == Passage("residential", 5, 5)


@pytest.mark.parametrize(
    ("tags", "blocked"),
    [
        ({"barrier": "bollard"}, True), ({"barrier": "bollard", "motor_vehicle": "yes"}, False),
        ({"barrier": "gate"}, False), ({"barrier": "gate", "access": "private"}, True), ({"highway": "stop"}, False),
    ],
)  # fmt: skip
def test_barriers(tags: dict[str, str], blocked: bool) -> None:
    assert CAR.is_blocked(tags) == blocked


@pytest.mark.parametrize("name", PROFILES)
def test_every_profile_is_read(name: str) -> None:
    profile = profile_of(name)
    assert profile.name == name and profile.classes[-1] == "ferry"
    assert profile.passage({"highway": "residential"}) is not None


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("limit = ", "cannot be read"),
        ("limit = 1", "does not have the fields of profiles/car.toml"),
        ("limit = 1\nfastest = 0\noneway = true\nferry = 5\n[speeds]\nroad = 5", "a speed that is not above 0"),
    ],
)
def test_a_profile_of_the_user_that_is_wrong(tmp_path, text: str, fault: str) -> None:
    path = tmp_path / "own.toml"
    path.write_text(text)
    with pytest.raises(UsageError, match=fault):
        profile_of(str(path))


def test_an_unknown_profile() -> None:
    with pytest.raises(UsageError, match="there is no profile 'plane'; there are car, van"):
        profile_of("plane")
    with pytest.raises(UsageError, match=r"cannot be read: .*No such file"):
        profile_of("none.toml")
