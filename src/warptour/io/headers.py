"""The words of headers: which column of a table of stops is which, in the common European languages.

Headers are compared without case, accents and units: ``Länge (°)`` is ``lange``. German umlauts may also be written
as two letters. Among several columns that fit, the one whose word comes first in its list is used.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final

from warptour.io.units import SECONDS, UNITS, unit_of, without_unit

LETTERS: Final = str.maketrans({"ł": "l", "ø": "o", "đ": "d", "æ": "ae", "œ": "oe", "ı": "i"})
"""Letters that are no others with an accent."""

CAMEL: Final = re.compile(r"(?<=[a-z])(?=[A-Z])")

LATITUDE: Final = (
    "lat latitude latitud latitudine breitengrad breedtegraad breddegrad breddgrad szerokosc sirka szelesseg "
    "leveysaste enlem laiuskraad platums platuma"
).split()
LONGITUDE: Final = (
    "lon lng long longitude longitud longitudine laengengrad langengrad lengtegraad laengdegrad lengdegrad langdgrad "
    "dlugosc delka hosszusag pituusaste boylam pikkuskraad"
).split()

NAME: Final = (
    "name label nom nombre nome naam nazwa namn navn nazev jmeno nimi nev nume bezeichnung kundenname klantnaam "
    "stop customer recipient kunde kunden firma empfaenger empfanger client cliente klant klient klienta kund zakaznik "
    "asiakas ugyfel destinataire destinatario odbiorca odbiorcy ontvanger raison_sociale ragione_sociale stopp "
    "haltestelle arret parada paragem fermata halte przystanek"
).split()
IN: Final = ("in", "en", "em", "i", "w", "v")
"""Words before a unit: ``Standzeit in Minuten``."""
SMALL_WORDS: Final = {"de", "del", "della", "des", "do", "du", "of", "the", "van", "der"}

SERVICE: Final = tuple(
    "service_time service servicetime service_duration servicezeit standzeit haltezeit bedienzeit aufenthaltsdauer "
    "temps_de_service temps_service duree_de_service tiempo_de_servicio tiempo_servicio duracion_servicio "
    "tempo_di_servizio tempo_servizio tempo_de_servico tempo_servico servicetijd stoptijd czas_obslugi servicetid "
    "doba_obsluhy palveluaika kiszolgalasi_ido".split()
)
STAY: Final = tuple(
    "dwell dwell_time stop_time stop_duration time_at_stop time_on_site unloading unloading_time unload_time "
    "handling_time visit_time visit_duration aufenthalt servicedauer stoppzeit entladezeit abladezeit besuchsdauer "
    "temps_arret duree_arret duree_de_visite temps_de_visite tiempo_de_parada tiempo_de_descarga duracion_visita "
    "tempo_di_sosta durata_sosta durata_visita tempo_de_parada lostijd bezoektijd czas_postoju czas_wizyty".split()
)
"""Further words for the time spent at a stop, where the header names a unit of time."""

STOP_COLUMNS: Final[dict[str, tuple[str, ...]]] = {
    "x": tuple(
        "x x_coord xcoord x_coordinate easting coord_x x_koordinate rechtswert ostwert coordonnee_x coordenada_x "
        "coordinata_x x_coordinaat wspolrzedna_x utm_x utm_e".split()
    ),
    "y": tuple(
        "y y_coord ycoord y_coordinate northing coord_y y_koordinate hochwert nordwert coordonnee_y coordenada_y "
        "coordinata_y y_coordinaat wspolrzedna_y utm_y utm_n".split()
    ),
    "z": ("z", "z_coord", "zcoord", "z_coordinate", "coord_z", "z_koordinate"),
    "lat": (
        *LATITUDE,
        *"gps_lat geo_lat geografische_breite geographische_breite geogr_breite geo_breite breite "
        "szerokosc_geograficzna zemepisna_sirka foldrajzi_szelesseg".split(),
    ),
    "lon": (
        *LONGITUDE,
        *"gps_lon gps_lng gps_long geo_lon geo_lng geografische_lange geografische_laenge geographische_lange "
        "geographische_laenge geogr_lange geogr_laenge geo_lange geo_laenge lange laenge dlugosc_geograficzna "
        "zemepisna_delka foldrajzi_hosszusag".split(),
    ),
    "name": (
        *NAME,
        *"address adresse anschrift direccion indirizzo endereco morada adres adress adresa osoite cim "
        "city ort stadt ville ciudad citta cidade plaats stad miasto mesto kaupunki varos "
        "id node nr nummer numero numer".split(),
    ),
    "demand": tuple(
        "demand weight load quantity qty bedarf nachfrage menge gewicht ladung demande quantite poids charge demanda "
        "cantidad peso carga domanda quantita carico quantidade vraag hoeveelheid lading popyt zapotrzebowanie ilosc "
        "waga ladunek efterfragan efterspoergsel behov mangd maengde mengde vikt vaegt vekt poptavka mnozstvi hmotnost "
        "kysynta maara paino igeny mennyiseg suly".split()
    ),
    "service_minutes": tuple(f"{word}_{unit}" for unit in SECONDS for word in (*SERVICE, *STAY)),
    "service_time": SERVICE,
}
"""Words of each column of a table of stops, folded."""

WORDS: Final = {"lat": set(LATITUDE), "lon": set(LONGITUDE), "x": {"x"}, "y": {"y"}}
"""Words that name a coordinate within longer headers, such as ``Stop latitude``, if no header is one of the above."""

PAIRS: Final = (("lat", "lon"), ("x", "y"))


def fold(header: str) -> str:
    """Return a header without case, accents, units and punctuation, with underscores between words."""
    text = without_unit(header).casefold().translate(LETTERS)
    letters = "".join(letter for letter in unicodedata.normalize("NFKD", text) if not unicodedata.combining(letter))
    return re.sub(r"[\s\-_./:]+", "_", letters).strip("_")


def fold_timed(header: str) -> str:
    """Return a folded header whose last word is the unit of time that it names: ``Standzeit in Min.`` is in minutes.

    Any other header is returned as :func:`fold` does.
    """
    folded = fold(header)
    words = folded.split("_")
    unit = unit_of(header)
    if unit not in SECONDS and len(words) > 1:
        unit = UNITS.get(words.pop())
        words = words[:-1] if words[-1] in IN else words
    return "_".join([*words, unit]) if unit in SECONDS else folded


def find_columns(
    header: Sequence[str],
    synonyms: Mapping[str, Sequence[str]],
    chosen: Mapping[str, str],
    ignored: Collection[str],
    left_out: Collection[str] = (),
) -> tuple[dict[str, int], list[str]]:
    """Return the index of each column found, and the headers that fit one column and occur twice.

    Parameters
    ----------
    header : sequence of str
    synonyms : mapping
        Accepted words of each column, in order of preference.
    chosen : mapping
        Header of a column, given by the user instead.
    ignored : collection of str
        Columns not to look for.
    left_out : collection of str
        Headers not to look at.
    """
    without = places_of(header, left_out)
    header = ["" if at in without else cell for at, cell in enumerate(header)]
    plain, timed = [fold(cell) for cell in header], [fold_timed(cell) for cell in header]
    found: dict[str, int] = {}
    twice: list[str] = []
    for column, words in synonyms.items():
        if column in ignored:
            continue
        names = timed if column.startswith("service") and column not in chosen else plain
        spellings = (fold(chosen[column]),) if column in chosen else words
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
        if place is None or plain[place] not in NAME:
            phrases = [at for at, name in enumerate(plain) if _is_name(name)]
            found |= {"name": phrases[0]} if phrases else {}
    if "lat" in synonyms and not any(set(pair) <= found.keys() for pair in PAIRS):
        for pair in PAIRS:
            found |= _within(header, [name for name in pair if name not in found and name not in {*ignored, *chosen}])
    return found, twice


def places_of(header: Sequence[str], names: Iterable[str]) -> set[int]:
    """Return the indices of the columns that are called by names: verbatim, or else without case, accents and units."""
    found: set[int] = set()
    for name in names:
        alike = {at for at, cell in enumerate(header) if cell.strip() and fold(cell) == fold(name)}
        found |= {at for at in alike if header[at].strip() == name.strip()} or alike
    return found


def _is_name(folded: str) -> bool:
    """Return whether all words of a header are about names, as in ``Nom du client``."""
    words = set(folded.split("_")) - SMALL_WORDS
    return bool(words) and words <= set(NAME)


def _within(header: Sequence[str], columns: Sequence[str]) -> dict[str, int]:
    """Return the columns that exactly one header has as a word among others."""
    words = [set(fold(CAMEL.sub("_", cell)).split("_")) for cell in header]
    fitting = {name: [at for at, parts in enumerate(words) if parts & WORDS[name]] for name in columns}
    return {name: places[0] for name, places in fitting.items() if len(places) == 1}
