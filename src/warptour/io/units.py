"""Units in brackets in a spreadsheet's header: ``Service (min)``, ``X [km]``."""

from __future__ import annotations

import re
from typing import Final

BRACKETS: Final = re.compile(r"\s*[(\[](.*?)[)\]]")
LONGEST_HEADER: Final = 200
"""Characters of a header that are looked at: searching for brackets takes their square."""

UNITS: Final = {
    spelling: unit
    for unit, spellings in {
        "m": "m metre metres meter meters",
        "km": "km kilometre kilometres kilometer kilometers",
        "cm": "cm centimetre centimetres centimeter centimeters",
        "mm": "mm millimetre millimetres millimeter millimeters",
        "miles": "mi mile miles",
        "feet": "ft foot feet",
        "yards": "yd yds yard yards",
        "seconds": "s sec secs second seconds sek sekunden secondes segundos secondi seconden sekundy sekunder",
        "minutes": "min mins minute minutes minuten minutos minuti minuty minut minuter minutter minuuttia perc",
        "hours": "h hr hrs hour hours std stunden heures horas ore uur uren godz godziny timmar timer hodiny tuntia",
        "days": "d day days",
        "degrees": "° deg degs degree degrees dd",
        "radians": "rad rads radian radians",
        "gon": "gon gons",
    }.items()
    for spelling in spellings.split()
}
"""Canonical unit of each spelling."""


SECONDS: Final = {"seconds": 1.0, "minutes": 60.0, "hours": 3600.0}
"""Seconds in each unit of time that services may have."""


def without_unit(header: str) -> str:
    """Return a header's text without brackets."""
    return BRACKETS.sub("", header[:LONGEST_HEADER])


def unit_of(header: str) -> str | None:
    """Return the unit in a header's brackets, or their text if it is not a known unit; None without brackets."""
    found = BRACKETS.search(header[:LONGEST_HEADER])
    if found is None:
        return None
    text = " ".join(found[1].lower().replace(".", "").split())
    return UNITS.get(text, text)


def is_unit(text: str | None) -> bool:
    """Return whether :func:`unit_of` found a known unit rather than a remark."""
    return text in UNITS.values()
