"""Hours as people write them, and what is none."""

from __future__ import annotations

import math

import pytest

from warptour.model.errors import InputError
from warptour.model.hours import moment_in, span_of, windows_in

WINDOWS = {
    "08:00-12:00, 14:00-18:00": [(8, 12), (14, 18)],
    "8-12, 14-18": [(8, 12), (14, 18)],
    "8-12 und 14-18 Uhr": [(8, 12), (14, 18)],
    "08:00-12:00\n14:00-18:00": [(8, 12), (14, 18)],
    "8h30 à 12h": [(8.5, 12)],
    "8 h 30 - 12 h": [(8.5, 12)],
    "de 8:00 a 14:00 h": [(8, 14)],
    "von 8.15 bis 12 Uhr": [(8.25, 12)],
    "de 9 a 14 horas": [(9, 14)],
    "8 heures à 12 heures": [(8, 12)],
    "zwischen 8 und 10": [(8, 10)],
    ", ".join(["8-12"] * 60): None,
    "entre 8 y 12": [(8, 12)],
    "0800-1730": [(8, 17.5)],
    "9am-5pm": [(9, 17)],
    "8 a.m. – 12:30 p.m.": [(8, 12.5)],
    "12am-12pm": [(0, 12)],
    "8-5pm": [(8, 17)],
    "1-5pm": [(13, 17)],
    "ab 13 Uhr": [(13, math.inf)],
    "à partir de 9h": [(9, math.inf)],
    "bis 12": [(0, 12)],
    "jusqu’à 12h": [(0, 12)],
    "before 10:00": [(0, 10)],
    "hasta las 10": [(0, 10)],
    "de las 8 a las 14 h": [(8, 14)],
    "22:00-06:00 +1": [(22, 30)],
    "00:00-24:00": [(0, 24)],
    "24:00-25:00": None,
    "24:30-24:45": None,
    "13pm-14": None,
    "8:60-9": None,
    "Mo-Fr 8-18": None,
    "vormittags": None,
    "10:00": None,
    "8-12, later": None,
    "1.5-3": None,
    "": None,
}


@pytest.mark.parametrize("text", WINDOWS)
def test_windows_in_a_text(text: str) -> None:
    expected = WINDOWS[text]
    assert windows_in(text) == (None if expected is None else [(a * 3600, b * 3600) for a, b in expected])


@pytest.mark.parametrize(
    ("text", "day", "hours"),
    [
        ("8", "", 8),
        ("08:30:36", "", 8.51),
        ("8.30", "", 8.5),
        ("0830", "", 8.5),
        ("12 Uhr", "", 12),
        ("12 am", "", 0),
        ("5pm", "", 17),
        ("24:00", "", 24),
        ("06:00 +1", "", 30),
        ("2026-05-01 08:00:00", "2026-05-01", 8),
        ("2026-05-01T08:00", "2026-05-01", 8),
        ("1.5.2026 8:00", "1.5.2026", 8),
    ],
)
def test_a_moment(text: str, day: str, hours: float) -> None:
    found = moment_in(text)
    assert found is not None and found.day == day and found.seconds == pytest.approx(hours * 3600)


@pytest.mark.parametrize("text", ["", "25", "30", "8:60", "8.5", "0,333", "2026-05-01", "soon", "3000", "8-12"])
def test_no_moment(text: str) -> None:
    assert moment_in(text) is None


def test_what_a_user_gives() -> None:
    assert span_of("8-12, 14-18", "w", timed=True) == [(28800, 43200), (50400, 64800)]
    assert span_of("0-230.5, 300-inf", "w", timed=False) == [(0, 230.5), (300, math.inf)]
    assert span_of((28800, "10:00"), "w", timed=True) == [(28800, 36000)]
    assert span_of([(0, 60), ("09:00", None)], "w", timed=True) == [(0, 60), (32400, math.inf)]


@pytest.mark.parametrize(
    ("value", "timed", "fault"),
    [
        ("9-5", True, "the shift ends at 05:00, before it begins at 09:00; is 09:00-17:00 meant"),
        ("22:00-06:00", True, "is 22:00-06:00 .1 meant"),
        ("8am", True, "the shift: '8am' is no window; write it as '08:00-17:00'"),
        ("08:00-12:00", False, "write it as '0-230', in the unit of the distances; hours need travel times"),
        ((5, 1), False, "ends at 1, before it begins at 5$"),
        (5, True, "an opening and a closing, not 5"),
        ((5, "x"), True, "'x' is no time; write it as 08:00, or a number of seconds"),
        ((-5, 1), False, "-5 is no time; write it as a number of at least 0"),
        ((8, 9), True, "the shift ends 9 seconds after midnight; hours are texts: '8-9'"),
        ([(1, 2, 3)], False, "an opening and a closing"),
    ],
)
def test_what_is_wrong_is_named(value: object, timed: bool, fault: str) -> None:
    with pytest.raises(InputError, match=fault):
        span_of(value, "the shift", timed=timed)
