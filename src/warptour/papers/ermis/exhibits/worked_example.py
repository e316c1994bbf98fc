"""Tables 4.1 to 4.6 and 4.16 to 4.18: the worked example of 10 cities, computed again by our moves and jobs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final, TypeAlias

import numpy as np

from warptour.bench import Options, Row
from warptour.devices.launch import Launch
from warptour.neighborhoods.two_opt import TwoOpt
from warptour.papers.ermis.engine.job_scans import PartitionScan
from warptour.papers.ermis.exhibits.printed import NAME, PARTITION_OF_JOB, RANGES_OF_9, RANGES_OF_9000
from warptour.papers.ermis.exhibits.three_opt_index import root_i
from warptour.papers.exhibit import Exhibit

CITIES: Final = 10
THREADS: Final = 5
PAIRS: Final = tuple((i, j) for i in range(2, CITIES + 1) for j in range(1, i))
"""The pairs (i, j) of table 4.3, row by row; exchange (i, j) reverses t[j] to t[i - 1]."""

Edges: TypeAlias = frozenset[frozenset[int]]
Compared: TypeAlias = Iterable[tuple[Any, Any]]
"""Entries of a table: ours and hers."""


def edges(tour: Sequence[int]) -> Edges:
    """Return the edges of a closed tour."""
    return frozenset(frozenset(pair) for pair in zip(tour, [*tour[1:], tour[0]], strict=True))


def exchanged(i: int, j: int) -> Edges:
    """Return the edges of the tour 0, 1, ... after exchange (i, j), by our move."""
    tour = np.arange(CITIES, dtype=np.int32)
    return edges(TwoOpt().apply(tour, (j - 1, i - 1)).tolist())


def as_printed(i: int, j: int) -> Edges:
    """Return the same by table 4.2: without t[i]-t[i-1] and t[j]-t[j-1], with t[i]-t[j] and t[i-1]-t[j-1]."""
    t = [*range(CITIES), 0]
    removed = {frozenset((t[i], t[i - 1])), frozenset((t[j], t[j - 1]))}
    return edges(t[:-1]) - removed | {frozenset((t[i], t[j])), frozenset((t[i - 1], t[j - 1]))}


def pair_of(job: int) -> tuple[int, int]:
    """Return (i, j) of a job by formulas 4.3 and 4.4."""
    i = int(root_i(np.array([job]))[0])
    return i, job - (i - 2) * (i - 1) // 2 + 1


def partition_of(i: int, j: int) -> int:
    """Return the partition of table 4.17 that holds position i among coordinates A and j among B; 0 if none does."""
    found = (k for k, (a, b) in enumerate(RANGES_OF_9, 1) if a - 3 < i <= a and b - 3 < j <= b)
    return next(found, 0)


def same(case: str, unit: str, compared: Compared) -> Row:
    """Return how many entries are equal, beside their number."""
    pairs = list(compared)
    return Row(NAME, case, CITIES, "any", sum(ours == hers for ours, hers in pairs), unit, None, len(pairs))


def tour_order(options: Options) -> Iterator[Row]:
    """Yield the entries of table 4.1."""
    tour = np.arange(CITIES, dtype=np.int32)
    yield same("t[0] to t[10]", "entries", zip(np.append(tour, tour[0]).tolist(), [*range(CITIES), 0], strict=True))


def exchanges(options: Options) -> Iterator[Row]:
    """Yield the exchanges of table 4.2 that our move makes, and those that change nothing."""
    yield same("exchanges that our 2-opt makes", "exchanges", ((exchanged(*pair), as_printed(*pair)) for pair in PAIRS))
    whole = edges(range(CITIES))
    idle = sum(as_printed(*pair) == whole for pair in PAIRS)
    yield Row(NAME, "exchanges that change nothing", CITIES, "any", idle, "exchanges", None, CITIES - 1)


def pairs(options: Options) -> Iterator[Row]:
    """Yield the pairs of table 4.3 by formulas 4.3 and 4.4."""
    yield same("pairs by formulas 4.3 and 4.4", "pairs", ((pair_of(job), pair) for job, pair in enumerate(PAIRS)))


def threads(options: Options) -> Iterator[Row]:
    """Yield the threads and pairs of table 4.4, and the iterations of formula 4.1."""
    pack = THREADS
    by_thread = {no * pack + idx: idx for idx in range(pack) for no in range(len(PAIRS) // pack)}
    yield same("thread of each job", "jobs", ((by_thread[job], job % THREADS) for job in range(len(PAIRS))))
    yield Row(NAME, "iterations", CITIES, "any", Launch(THREADS, 1).iterations(len(PAIRS)), "jobs per lane", None, 9)


def job_ids(options: Options) -> Iterator[Row]:
    """Yield the 14 ids of table 4.5, by threadIdx, blockIdx and blockDim."""
    ids = (thread + 0 * THREADS + no * THREADS for no in range(3) for thread in range(THREADS))
    yield same("ids of the first jobs", "ids", zip(list(ids)[:14], range(14), strict=True))


def parallelism(options: Options) -> Iterator[Row]:
    """Yield the ids of table 4.6: 9 iterations by 5 threads."""
    table = np.add.outer(THREADS * np.arange(9), np.arange(THREADS)).ravel().tolist()
    yield same("ids by iteration and thread", "ids", zip(table, range(len(PAIRS)), strict=True))


def division(n: int, printed: Sequence[tuple[int, int]]) -> Iterator[tuple[Any, Any]]:
    """Yield the ranges of our launches beside hers, both by their last positions (A, B)."""
    each = n // 3
    ranges = [range(first, first + each) for first in range(0, n, each)]
    ours = [(rows.stop, columns.stop) for columns in ranges for rows in reversed(ranges[ranges.index(columns) :])]
    yield from zip(ours, printed, strict=True)


def division_of_9000(options: Options) -> Iterator[Row]:
    """Yield the partitions of table 4.16: those of our scan, whose first range is her B."""
    scanned = [tuple(int(number) for number in spans) for _, spans in PartitionScan.parts_of(9000)]
    ours = [(column + columns, row + rows) for row, rows, column, columns in scanned]
    yield Row(NAME, "partitions", 9000, "any", len(ours), "launches", None, len(RANGES_OF_9000))
    equal = sum(one == other for one, other in zip(ours, RANGES_OF_9000, strict=True))
    yield Row(NAME, "partitions with her ranges, in her order", 9000, "any", equal, "launches", None, 6)


def division_of_9(options: Options) -> Iterator[Row]:
    """Yield the partitions of table 4.17."""
    yield same("partitions of 9 positions", "partitions", division(9, RANGES_OF_9))


def partition_of_jobs(options: Options) -> Iterator[Row]:
    """Yield the jobs whose partition in table 4.18 is that of table 4.17, and those in none."""
    found = [partition_of(*pair) for pair in PAIRS]
    hers = [int(digit) for digit in PARTITION_OF_JOB]
    yield same("jobs in the partition of their ranges", "jobs", zip(found, hers, strict=True))
    case = "jobs of row 10, beyond the ranges of table 4.17, which she counts to (6, 9]"
    yield Row(NAME, case, CITIES, "any", found.count(0), "jobs")


def exhibit(name: str, title: str, measure: Callable[[Options], Iterator[Row]], differs: str = "") -> Exhibit:
    """Return the exhibit of one table."""
    return Exhibit(f"table-{name}", f"Table {name}: {title}", f"Nothing is measured. {differs}".strip(), measure)


EXHIBITS: Final = (
    exhibit("4.1", "order of the first tour, 10 cities", tour_order),
    exhibit(
        "4.2",
        "all edge exchanges of 10 cities",
        exchanges,
        "She says that the last exchange of each row changes nothing; (10, 1) is a tenth, whose edges share a city.",
    ),
    exhibit("4.3", "pairs of indices, 10 cities", pairs),
    exhibit("4.4", "jobs of 5 threads, 10 cities", threads),
    exhibit("4.5", "ids of the first 14 jobs", job_ids),
    exhibit("4.6", "ids by iterations and threads, 10 cities", parallelism),
    exhibit("4.16", "partitions of 9,000 cities", division_of_9000),
    exhibit("4.17", "partitions of 9 cities", division_of_9),
    exhibit(
        "4.18",
        "partition of each exchange, 10 cities",
        partition_of_jobs,
        "The table has 45 exchanges, of 10 cities, and the ranges of 9.",
    ),
)
