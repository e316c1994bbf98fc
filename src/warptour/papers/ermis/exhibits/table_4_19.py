"""Table 4.19: numbers of coordinate ranges and of partitions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from warptour.bench import Options, Row
from warptour.papers.ermis.engine.job_scans import PartitionScan
from warptour.papers.ermis.exhibits.printed import NAME, PARTITIONS
from warptour.papers.exhibit import Exhibit


def measure(options: Options) -> Iterator[Row]:
    """Yield the counts; nothing is measured."""
    for n, (ranges, partitions) in PARTITIONS.items():
        count = len(PartitionScan.ranges(n))
        yield Row(NAME, "ranges", n, "any", count, "ranges", None, ranges)
        yield Row(
            NAME, "partitions, launches of a scan", n, "any", count * (count + 1) // 2, "launches", None, partitions
        )


EXHIBIT: Final = Exhibit("table-4.19", "Table 4.19: partitions of longer tours", "", measure)
