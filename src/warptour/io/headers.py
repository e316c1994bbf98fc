"""Headers of tables: the words by which columns are known, without case, accents and units.

``Länge (°)`` is ``lange``. The words of several languages are in ``words.ini``; among several columns that fit, the one
whose word comes first in its list is used.
"""

from __future__ import annotations

import csv
import re
import shlex
import unicodedata
from collections.abc import Collection, Iterable, KeysView, Mapping, Sequence, Set
from configparser import ConfigParser
from functools import cache
from io import StringIO
from pathlib import Path
from typing import Final, TypeAlias

from warptour.io.source import quote
from warptour.model.errors import UsageError

LETTERS: Final = str.maketrans({"ł": "l", "ø": "o", "đ": "d", "æ": "ae", "œ": "oe", "ı": "i"})
"""Letters that Unicode does not decompose into a letter and an accent."""
CAMEL: Final = re.compile(r"(?<=[a-z])(?=[A-Z])")
"""Where a word of a header such as ``stopLatitude`` begins."""
BRACKETS: Final = re.compile(r"\s*[(\[](.*?)[)\]]")
LONGEST_HEADER: Final = 200
"""Maximum number of characters of a header that are examined: searching for brackets takes time in the square of it."""

SECONDS: Final = {"seconds": 1.0, "minutes": 60.0, "hours": 3600.0}
"""Seconds in each unit of time in which service times may be given."""
MINUTES: Final = "service_minutes"
"""Column of service times, in minutes unless its header has another unit."""
PAIRS: Final = (("lat", "lon"), ("x", "y"))
"""Coordinates of a place."""
PLACE: Final = "place"
"""Column with latitude and longitude in one cell, or a link of a map."""
WINDOW_COLUMNS: Final = ("opens", "closes", "windows", "release")
"""Columns of openings, of closings, and of whole windows, if the user names them; others are found by their cells."""
ALIASES: Final = {
    "service": "service_time", "service_min": "service_minutes", "label": "name", "latitude": "lat", "longitude": "lon",
    "window": "windows", "time_window": "windows", "time_windows": "windows", "from": "opens", "to": "closes",
    "release_time": "release", "pickups": "pickup",
}  # fmt: skip
"""Other names of columns for users who choose or ignore them."""

Columns: TypeAlias = tuple[dict[str, int], list[str]]

CAPACITY: Final = "capacity"
"""Column of a table of vehicles of which there may be several: ``capacity (kg)``, ``capacity_pallets``."""
LOAD: Final = "load of "
"""What the columns of a table are called that has demands of several loads."""
PICKUP: Final = "pickup"
"""Column of amounts picked up, if the user names it; others are found by their words and cells."""
DEGREES: Final = ("lat", "lon")
"""Columns of degrees."""


@cache
def words() -> dict[str, dict[str, KeysView[str]]]:
    """Return the lists of words in each section of ``words.ini``, in their order."""
    parser = ConfigParser(interpolation=None)
    parser.read_string(Path(__file__).with_name("words.ini").read_text(encoding="utf-8"))
    sections = {name: parser[name].items() for name in parser.sections()}
    return {name: {key: dict.fromkeys(text.split()).keys() for key, text in lists} for name, lists in sections.items()}


@cache
def stop_columns() -> dict[str, tuple[str, ...]]:
    """Return the words of each column of a table of stops, folded, in order of preference."""
    known = words()["columns"]
    columns = {name: (*known[name], *known.get(f"{name} alone", ())) for name in "x y z lat lon name demand".split()}
    timed = (*known["service"], *known["service with a unit"])
    columns[PLACE] = tuple(known[PLACE])
    columns["service_minutes"] = tuple(f"{word}_{unit}" for unit in SECONDS for word in timed)
    columns |= {"service_time": tuple(known["service"])} | dict.fromkeys((*WINDOW_COLUMNS, PICKUP), ())
    columns["release"] = (*known["release"], *(f"{word}_{unit}" for unit in SECONDS for word in known["release"]))
    return columns


def column_name(word: str) -> str | None:
    """Return a column's name as tables have it, None if there is no such column."""
    name = word.strip().lower().replace("-", "_")
    name = ALIASES.get(name, name)
    return name if name in stop_columns() else None


def required_name(word: str, option: str) -> str:
    """Return a column's name as :func:`column_name` does, or raise :class:`UsageError`."""
    name = column_name(word)
    if name is None:
        raise UsageError(f"{option}: {quote(word)} is no column of stops; there are {', '.join(stop_columns())}")
    return name


def unit_called(text: str) -> str | None:
    """Return the usual name of a unit, None if there is no such unit."""
    return next((unit for unit, spellings in words()["units"].items() if text in spellings), None)


def unit_of(header: str) -> str | None:
    """Return the unit in a header's brackets, or their text if it is not a known unit; None without brackets."""
    found = BRACKETS.search(header[:LONGEST_HEADER])
    if found is None:
        return None
    text = " ".join(found[1].lower().replace(".", "").split())
    return unit_called(text) or text


def fold(header: str) -> str:
    """Return a header without case, accents, units and punctuation, with underscores between words."""
    text = BRACKETS.sub("", header[:LONGEST_HEADER]).casefold().translate(LETTERS)
    letters = "".join(letter for letter in unicodedata.normalize("NFKD", text) if not unicodedata.combining(letter))
    return re.sub(r"[\s\-_./:]+", "_", letters).strip("_")


def unit_seconds(header: str) -> float:
    """Return the seconds in the unit of a column of times, minutes unless its header says otherwise."""
    return SECONDS.get(fold_timed(header).rpartition("_")[2], SECONDS["minutes"])


def fold_timed(header: str) -> str:
    """Return a folded header whose last word is the unit of time that it names: ``Standzeit in Min.`` is in minutes.

    Any other header is returned as :func:`fold` does.
    """
    folded = fold(header)
    parts = folded.split("_")
    unit = unit_of(header)
    if unit not in SECONDS and len(parts) > 1:
        unit = unit_called(parts.pop())
        parts = parts[:-1] if parts[-1] in words()["beside"]["before a unit"] else parts
    return "_".join([*parts, unit]) if unit in SECONDS else folded


def fold_measured(header: str) -> str:
    """Return a folded header with what stands in its brackets as its last word: ``Menge (kg)`` is ``menge_kg``."""
    found = BRACKETS.search(header[:LONGEST_HEADER])
    return "_".join(filter(None, (fold(header), fold(found[1]) if found else "")))


def measure_of(header: str, known: Iterable[str]) -> str | None:
    """Return what a column measures: ``kg`` of ``Menge (kg)``; None if it has none of the known words."""
    measured = fold_measured(header)
    for word in known:
        if measured == word:
            return ""
        if measured.startswith(f"{word}_"):
            return measured.removeprefix(f"{word}_")
    return None


def find_columns(
    header: Sequence[str],
    synonyms: Mapping[str, Sequence[str]],  # accepted words of each column, folded, in order of preference
    chosen: Mapping[str, str],  # headers of columns, given by the user instead
    ignored: Collection[str],
    left_out: Collection[str] = (),
) -> tuple[dict[str, int], list[str]]:
    """Return the index of each column found, and the headers that fit one column and occur twice.

    ``ignored``, ``left_out``: columns not to look for, and headers not to look at
    """
    without = places_of(header, left_out)
    header = ["" if at in without else cell for at, cell in enumerate(header)]
    plain, timed, measured = ([form(cell) for cell in header] for form in (fold, fold_timed, fold_measured))
    found: dict[str, int] = {}
    twice: list[str] = []
    for column in (name for name in synonyms if name not in ignored):
        names = timed if column.startswith("service") and column not in chosen else plain
        names = measured if column.startswith(LOAD) else names
        if column == CAPACITY:  # several, each of another load
            several = [at for at, cell in enumerate(header) if measure_of(cell, synonyms[column]) is not None]
            found |= {column: several[0]} if several else {}
            continue
        spellings = (fold(chosen[column]),) if column in chosen else synonyms[column]
        places = [at for word in spellings for at, name in enumerate(names) if name == word]
        if len({names[at] for at in places}) < len(places) and column != "name":
            exact = [at for at in places if column in chosen and header[at].strip() == chosen[column].strip()]
            if len(exact) != 1:
                twice.append(header[places[0]])
            places = exact or places
        if places:
            found[column] = places[0]
    if header and "name" in synonyms.keys() - ignored - chosen.keys():
        place = found.get("name")
        if place is None or plain[place] not in words()["columns"]["name"]:
            phrases = [at for at, name in enumerate(plain) if _is_name(name)]
            found |= {"name": phrases[0]} if phrases else {}
    if "lat" in synonyms and not any(set(pair) <= found.keys() for pair in PAIRS):
        for pair in PAIRS:
            found |= _within(header, [name for name in pair if name not in found and name not in {*ignored, *chosen}])
    if "lat" in found and found["lat"] == found.get("lon"):  # `lat, lng` is one column
        found[PLACE] = found.pop("lat")
        del found["lon"]
    return found, twice


def places_of(header: Sequence[str], names: Iterable[str]) -> set[int]:
    """Return the indices of the columns that are called by names: verbatim, or else without case, accents and units."""
    found: set[int] = set()
    for name in names:
        alike = {at for at, cell in enumerate(header) if cell.strip() and fold(cell) == fold(name)}
        found |= {at for at in alike if header[at].strip() == name.strip()} or alike
    return found


def ignoring(names: Iterable[str]) -> str:
    """Return the option that ignores columns."""
    text = StringIO()
    printable = ("".join(letter for letter in " ".join(name.split()) if letter.isprintable()) for name in names)
    csv.writer(text, lineterminator="").writerow(printable)
    return f"--ignore {shlex.quote(text.getvalue())}"


def _is_name(folded: str) -> bool:
    """Return whether all words of a header are about names, as in ``Nom du client``."""
    parts = set(folded.split("_")) - words()["beside"]["small"]
    return bool(parts) and parts <= words()["columns"]["name"]


def _within(header: Sequence[str], columns: Sequence[str]) -> dict[str, int]:
    """Return the columns that exactly one header has as a word among others: ``Stop latitude``."""
    known: dict[str, Set[str]] = {**words()["columns"], "x": {"x"}, "y": {"y"}}
    parts = [set(fold(CAMEL.sub("_", cell)).split("_")) for cell in header]
    fitting = {name: [at for at, those in enumerate(parts) if those & known[name]] for name in columns}
    return {name: places[0] for name, places in fitting.items() if len(places) == 1}


def degrees_named(header: str) -> list[str]:
    """Return which of latitude and longitude a header names, in its order."""
    known = words()["columns"]
    return [name for part in re.findall(r"[a-z]+", fold(header)) for name in DEGREES if part in known[name]]


def kind_of_sheet(title: str) -> str | None:
    """Return what a sheet of a workbook is called: of stops, vehicles, depots, or guides; None if that is unclear.

    Titles such as ``Vehicles 2026`` are of the one kind whose words they have.
    """
    kinds = {**words()["workbook"], "vehicles": words()["fleet"]["sheets"]}
    named = {kind: kinds[kind] for kind in ("stops", "vehicles", "depots", "guides")}
    folded = fold(title)
    for parts in ({folded}, {*folded.split("_")}):
        found = [kind for kind, known in named.items() if parts & known]
        if found:
            return found[0] if len(found) == 1 else None
    return None


def listed(cells: Iterable[str]) -> str:
    """Return the cells that are not blank, for a message."""
    return ", ".join(quote(cell.strip(), 20) for cell in cells if cell.strip())
