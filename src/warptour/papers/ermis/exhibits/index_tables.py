"""Formula 4.3 and tables 4.22 to 4.24: pairs and triples from a job's id."""

from __future__ import annotations

from collections.abc import Iterator
from math import comb
from typing import Any, Final

import numpy as np

from warptour.bench import Options, Row
from warptour.papers.ermis.exhibits.printed import MENDED, NAME, WRONG_IDS
from warptour.papers.ermis.exhibits.three_opt_index import (
    Ids,
    controlled,
    exact_i,
    first_wrong_root,
    formula_i,
    formula_j,
    formula_k,
    triple,
)
from warptour.papers.exhibit import Exhibit

REALS: Final[tuple[tuple[str, type[Any]], ...]] = (("float64", np.float64), ("float32", np.float32))
MOST: Final = comb(59, 3)
"""Ids of the rows up to i = 58, the last of table 4.23."""

CHECKED: Final = 200_000
"""Ids for which the mended formula is checked."""


def pairs(options: Options) -> Iterator[Row]:
    """Yield the first id at which the root of formula 4.3 is wrong, and the cities of the shortest tour that has it."""
    for name, real in REALS:
        found = first_wrong_root(real)
        if found is not None:
            yield Row(NAME, f"first wrong id, {name}", 0, "any", found, "id")
            cities = int((3 + np.sqrt(8.0 * found + 1)) // 2)
            yield Row(NAME, f"shortest tour with a wrong id, {name}", 0, "any", cities, "cities")
        else:
            yield Row(NAME, f"wrong ids of up to 65,536 cities, {name}", 0, "any", 0, "ids")


def possible_exchanges(options: Options) -> Iterator[Row]:
    """Yield how many of the 20 triples of the table each way of computing them gives."""
    ids = np.arange(1, 20)
    expected = [triple(int(number)) for number in ids]
    i = formula_i(ids)
    for case, constant in (("formulas 4.8 to 4.10 as printed", 3), ("with 1 for 3 in formula 4.9", 1)):
        j = formula_j(ids, i, constant=constant)
        found = zip(i.tolist(), j.tolist(), formula_k(ids, i, j).tolist(), strict=True)
        right = 1 + sum(one == other for one, other in zip(found, expected, strict=True))  # id 0 is an exception
        yield Row(NAME, case, 0, "any", right, "of 20 triples", None, 20)
    listed = [(i, j, k) for i in range(2, 6) for j in range(1, i) for k in range(j)]
    right = sum(triple(number) == other for number, other in enumerate(listed))
    yield Row(NAME, "exact integers", 0, "any", right, "of 20 triples", None, 20)


def problematic_ids(options: Options) -> Iterator[Row]:
    """Yield the ids of each range of the table that formula 4.8 gets wrong, and how many it gets wrong in all."""
    wrong = {(name, divisor): wrong_ids(real, divisor) for name, real in REALS for divisor in (9, 27)}
    for (first, last), hers in WRONG_IDS.items():
        found = [number for number in wrong["float64", 9].tolist() if first <= number <= last]
        case = f"wrong in [{first}, {last}], float64: {' '.join(map(str, found))}"
        yield Row(NAME, case, 0, "any", len(found), "ids", None, len(hers))
    for (name, divisor), ids in wrong.items():
        case = f"{name}, 1/{divisor}"
        peer = 454 if (name, divisor) == ("float64", 9) else None
        yield Row(NAME, f"first wrong id, {case}", 0, "any", float(ids[0]), "id", None, peer)
        yield Row(NAME, f"wrong ids below {MOST:,}, {case}", 0, "any", len(ids), "ids")
    yield Row(NAME, f"wrong ids below {MOST:,}, exact integers", 0, "any", wrong_by_integers(), "ids")


def mended(options: Options) -> Iterator[Row]:
    """Yield how often the mended formula is wrong, and how many triples of the table are."""
    ids = np.arange(1, CHECKED)
    expected = exact_i(ids)
    for name, real in REALS:
        wrong = int((formula_i(ids, real, revised=True) != expected).sum())
        yield Row(NAME, f"wrong i below {CHECKED:,}, revised formula, {name}", 0, "any", wrong, "ids")
        i, j, k = controlled(ids, real)
        wrong = int(((i != expected) | (j >= i) | (k >= j) | (k < 0)).sum())
        yield Row(NAME, f"wrong triples below {CHECKED:,}, after the control statement, {name}", 0, "any", wrong, "ids")
    misprinted = [number for number, printed in MENDED if triple(number) != printed]
    case = f"misprinted triples, ids {' '.join(map(str, misprinted))}"
    yield Row(NAME, case, 0, "any", len(misprinted), "of 10 triples")


def wrong_ids(real: type[Any], divisor: int) -> Ids:
    """Return the ids below ``MOST`` at which formula 4.8 is wrong."""
    ids = np.arange(1, MOST)
    found: Ids = ids[formula_i(ids, real, divisor) != exact_i(ids)]
    return found


def wrong_by_integers() -> int:
    """Return the number of ids below ``MOST`` whose exact triple does not number them."""
    triples = (triple(number) for number in range(MOST))
    return sum(comb(i, 3) + comb(j, 2) + k != number for number, (i, j, k) in enumerate(triples))


EXHIBITS: Final = (
    Exhibit(
        "formula-4.3",
        "Formula 4.3: the pair of an id by a square root",
        "The thesis uses it in float32 up to 4,915 cities and does not say that it fails; the id it gives then reads "
        "before the tour's first city.",
        pairs,
    ),
    Exhibit(
        "table-4.22",
        "Table 4.22: triples of 3-opt by formulas 4.8 to 4.10",
        "Formula 4.9 is printed with 3 where the example below it takes 1.",
        possible_exchanges,
    ),
    Exhibit(
        "table-4.23",
        "Table 4.23: ids for which formula 4.8 is wrong",
        "The listed ids are those of float64; float32 has others. Formula 4.8 has 1/9 where Cardano's has 1/27, with "
        "which float64 is wrong only where rounding moves the first id of a row.",
        problematic_ids,
    ),
    Exhibit(
        "table-4.24",
        "Table 4.24: triples by the mended formula",
        "Two triples of the table are misprinted: the formula itself gives (4, 1, 0) and (5, 1, 0).",
        mended,
    ),
)
