"""The words of headers for what is not supported yet: time windows, shifts, vehicles, skills, priorities, pickups.

In the languages of :mod:`warptour.io.headers`, folded as there.
"""

from __future__ import annotations

import re
from typing import Final

from warptour.io.headers import CAMEL, SMALL_WORDS, fold

WINDOWS, SHIFTS, VEHICLES, SKILLS = "time windows", "shifts", "vehicles for certain stops", "skills"
PRIORITIES, DEPOTS, PICKUPS, SHIPMENTS = "priorities", "several depots", "pickups", "shipments"
"""What is not supported yet."""
BEGIN, END, WEAK_BEGIN, WEAK_END = "begin", "end", "weak begin", "weak end"
TIME, SLOT, KIND = "time", "slot", "kind"
"""What cells have to decide: bounds of a window, those that may be something else, a time of day, a window, what a stop
is."""

HOURS: Final = (
    "openinghour openinghours openhours businesshours officehours storehours receivinghours deliveryhours timewindow "
    "deliverywindow servicewindow timeslot deliveryslot offnungszeit oeffnungszeit geschaftszeit geschaeftszeit "
    "zeitfenster lieferfenster annahmezeit lieferzeiten lieferungszeiten horaire heuresdouverture auplustot auplustard "
    "creneau fenetredetemps fenetredelivraison horario ventanahoraria ventanadetiempo ventanadeentrega franjahoraria "
    "orario orari finestraoraria finestratemporale fasciaoraria janeladetempo janelahoraria janeladeentrega "
    "openingstijd openingsuren tijdvenster tijdsvenster tijdslot tijdvak godzinyotwarcia godzinyprzyjec oknoczasowe "
    "okienkoczasowe oppettid tidsfonster abningstid aabningstid tidsvindue apningstid aapningstid tidsvindu "
    "oteviracidob casoveokn provoznidob nyitvatart idoablak aukioloai aukioloaj aikaikkuna"
).split()
"""Parts of headers, without spaces, that mean time windows whatever the cells are."""

SLOTS: Final = set("window slot slots timing creneau tijdslot".split())
"""Headers of time windows, unless the cells are numbers: a window may be one of a building."""

APPOINTMENTS: Final = set(
    "time zeit heure hora ora tijd godzina klockan cas kello deliverytime preferredtime requestedtime "
    "requiredtime scheduledtime promisedtime appointmenttime bookedtime arrivebefore appointment termin "
    "liefertermin wunschtermin uhrzeit lieferzeit anlieferzeit rendezvous rdv cita appuntamento agendamento "
    "afspraak levertijd wizyta leveranstid leveringstid schuzka idopont toimitusaika".split()
)
"""Headers of a time of day."""

BEGINS: Final = set(
    "earliest ready open opens opening release fruhestens fruehestens frueheste fruheste offnet oeffnet ouverture "
    "apertura abertura vroegst vroegste otwarcie najwczesniej tidigast oppnar tidligst abner apner otevreno nejdrive "
    "nyitas legkorabban aikaisintaan avataan".split()
)
ENDS: Final = set(
    "latest due close closes closing deadline cutoff annahmeschluss ladeschluss spatestens spaetestens "
    "spateste spaeteste schliesst fermeture cierre chiusura fechamento encerramento uiterlijk laatst laatste "
    "sluit sluiting zamkniecie najpozniej senast stanger senest lukker stenger zavreno nejpozdeji zaras "
    "legkesobb viimeistaan suljetaan".split()
)
"""Bounds of a window."""

WEAK_BEGINS: Final = set(
    "from start begin after von ab beginn nach de debut des apres desde inicio da dalle inizio van od fran fra "
    "zacatek tol kezdet kezdete alkaen alku".split()
)
WEAK_ENDS: Final = set(
    "to end until till before by bis ende vor a fin jusqua avant hasta alle fine ate fim tot eind einde do slut til "
    "konec ig vege asti loppu".split()
)
"""Bounds of a window beside a word of time; alone they may be anything."""

TIMES: Final = set(
    "time times hour hours hh hhmm window tw slot at arrival arrive visit delivery deliver available service zeit uhr "
    "liefer lieferung anlieferung fenster heure heures livraison hora horas entrega ora ore consegna tijd uur "
    "levering godzina godz czas dostawa tid klockan klokken leverans cas hodina dodavka ido szallitas "
    "aika kello toimitus".split()
)
"""Words beside bounds of a window."""

WORDS: Final[dict[str, set[str]]] = {
    SHIFTS: set("shift shifts schicht schichten turno turni ploeg zmiana skift vagt smena muszak tyovuoro".split()),
    VEHICLES: set(
        "driver drivers technician technicians techniker technicien tecnico tecnici technik monteur truck "
        "trucks fahrer fahrerin lkw chauffeur conducteur camion conductor chofer furgoneta autista furgone "
        "motorista caminhao bestuurder vrachtwagen kierowca ciezarowka forare lastbil chauffor sjafor ridic "
        "sofor kuljettaja".split()
    ),
    SKILLS: set(
        "skill skills qualification qualifications qualifikation qualifikationen fahigkeit fahigkeiten faehigkeiten "
        "competence competences habilidad habilidades competenza competenze habilidade vaardigheid vaardigheden "
        "umiejetnosc umiejetnosci kwalifikacje kompetens fardighet kompetence faerdighed kompetanse ferdighet "
        "dovednost dovednosti kvalifikace keszseg kepesites taito taidot".split()
    ),
    PRIORITIES: set(
        "priority priorities prio prioritat prioritaet priorite prioridad priorita prioridade prioriteit priorytet "
        "prioritet prioritas prioriteetti urgency urgent urgente dringlichkeit dringend urgence urgencia urgenza "
        "importance wichtigkeit".split()
    ),
    DEPOTS: {"depot", "depots", "depo", "deposito"},
    PICKUPS: set(
        "pickup pickups collection abholung abholungen abholmenge enlevement ramassage recogida recoleccion ritiro "
        "prelievo coleta recolha ophalen afhaling ophaling odbior upphamtning hamtning afhentning henting vyzvednuti "
        "svoz begyujtes felvetel nouto returns retoure retouren rucknahme ruecknahme ruckholung rueckholung retours "
        "devoluciones devolucion resi".split()
    ),
    SHIPMENTS: set("shipment shipments sendung envoi envio spedizione zending przesylka zasilka kuldemeny".split()),
}
"""Words of headers by what they mean."""

PARTS: Final = {
    VEHICLES: (
        "vehicle fahrzeug vehicul veicolo veicoli veiculo voertuig pojazd fordon koretoj koeretoej kjoretoy vozidl "
        "jarmu ajoneuvo"
    ).split(),
    PICKUPS: ["pickup"],
}
"""Parts of headers, without spaces, by what they mean."""

REMARKS: Final = set(
    "note notes comment comments remark remarks instruction instructions info details contact email mail phone "
    "telephone mobile fax address access url link distance km miles reg registration plate notiz notizen bemerkung "
    "bemerkungen hinweis hinweise kommentar telefon kontakt adresse zufahrt entfernung kennzeichen remarque "
    "remarques commentaire commentaires consigne consignes acces immatriculation nota notas observaciones "
    "instrucciones contacto direccion telefono distancia matricula istruzioni contatto indirizzo distanza targa "
    "observacoes contato endereco opmerking opmerkingen afstand kenteken uwagi kontakty odleglosc".split()
)
"""Words of headers that tell something about a vehicle or a depot: ``Notes for the driver``, ``Distance to depot``."""

KINDS: Final = set("type kind art typ tipo soort rodzaj druh tipus tyyppi laji".split())
"""Last words of headers whose cells say what a stop is."""


def meaning_of(header: str) -> str | None:
    """Return what a column with this header may ask for, None if nothing."""
    folded = fold(CAMEL.sub("_", re.sub(r"[()\[\],]", " ", header)))
    words = set(folded.split("_"))
    joined = "".join(filter(str.isalnum, folded))
    if any(part in joined for part in HOURS):
        return WINDOWS
    if joined in SLOTS:
        return SLOT
    if joined in APPOINTMENTS:
        return TIME
    rest = words - SMALL_WORDS - TIMES
    for bound, alone, strong, weak in ((BEGIN, WEAK_BEGIN, BEGINS, WEAK_BEGINS), (END, WEAK_END, ENDS, WEAK_ENDS)):
        if words <= weak:
            return alone
        if (rest and rest <= weak) or (rest & strong and rest <= strong | weak | {"date"}):
            return bound
    if not words & REMARKS:
        for what, parts in PARTS.items():
            if any(part in joined for part in parts):
                return what
        for what, known in WORDS.items():
            if words & known:
                return what
    return KIND if folded.rpartition("_")[2] in KINDS else None
