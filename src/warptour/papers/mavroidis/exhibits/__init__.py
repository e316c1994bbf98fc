"""Mavroidis (2011): symmetric 2-opt on an FPGA and a GPU."""

from __future__ import annotations

from typing import Final

from warptour.papers.mavroidis.exhibits import (
    arithmetic,
    blocks,
    chapter_2,
    chapter_5,
    chapter_6,
    memory,
    partitions,
    placed,
    section_7_1,
)
from warptour.papers.paper import Paper

PAPER: Final = Paper(
    "mavroidis",
    "Ioannis Mavroidis (2011): Algorithm Mapping to Reconfigurable Systems and Systems with "
    "Multiple Embedded Processors",
    (
        chapter_2.EXHIBIT,
        partitions.EXHIBIT,
        chapter_5.STOPPING_RULE,
        chapter_5.FIGURE_6,
        chapter_5.SECTION_5_2,
        chapter_5.FIGURE_7,
        chapter_5.FIGURE_8,
        chapter_5.FIGURE_9,
        placed.AREA,
        chapter_5.LOOPS,
        arithmetic.EXHIBIT,
        placed.UNITS,
        placed.DESCENTS,
        blocks.SECTION_6_4,
        chapter_6.TABLE,
        blocks.FIGURE_17,
        blocks.FIGURE_18,
        chapter_6.FIGURE_19,
        chapter_6.FIGURE_20,
        chapter_6.FIGURE_21,
        section_7_1.EXHIBIT,
        memory.EXHIBIT,
    ),
    (
        ("table 1 on its own device, a Virtex-II Pro", "no free tool places on it; an ECP5 takes its place"),
        (
            "two loop counts of table 2, vm1748 and fnl4461",
            "both depend on ties and tiny gains, which arithmetic decides one way or the other: `table-2-arithmetic` "
            "has other precisions, orders of the sum and thresholds; with one of a millionth vm1748 is as printed",
        ),
        (
            "Concorde's own times",
            "Concorde is not part of warptour; our descent by neighbour lists stands in its place",
        ),
        (
            "figures 1 to 5, 10 to 12 and 14 to 16",
            "they are drawings; the machine of `warptour fpga` and `--set form=blocks` are what they show",
        ),
    ),
)
