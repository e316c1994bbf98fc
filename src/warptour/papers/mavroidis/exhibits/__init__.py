"""Mavroidis (2011): symmetric 2-opt on an FPGA and a GPU."""

from __future__ import annotations

from typing import Final

from warptour.papers.mavroidis.exhibits import (
    capacity,
    chapter_2,
    chapter_6,
    figure_6,
    figure_7,
    figure_8,
    figure_9,
    figure_17,
    figure_18,
    figure_19,
    figure_20,
    figure_21,
    partitions,
    placed_descents,
    placed_units,
    section_5_2,
    section_7_1,
    stopping_rule,
    table_1,
    table_2,
)
from warptour.papers.paper import Paper

PAPER: Final = Paper(
    "mavroidis",
    "Ioannis Mavroidis (2011): Algorithm Mapping to Reconfigurable Systems and Systems with "
    "Multiple Embedded Processors",
    (
        chapter_2.EXHIBIT,
        partitions.EXHIBIT,
        stopping_rule.EXHIBIT,
        figure_6.EXHIBIT,
        section_5_2.EXHIBIT,
        figure_7.EXHIBIT,
        figure_8.EXHIBIT,
        figure_9.EXHIBIT,
        table_1.EXHIBIT,
        table_2.EXHIBIT,
        placed_units.EXHIBIT,
        placed_descents.EXHIBIT,
        capacity.EXHIBIT,
        chapter_6.EXHIBIT,
        figure_17.EXHIBIT,
        figure_18.EXHIBIT,
        figure_19.EXHIBIT,
        figure_20.EXHIBIT,
        figure_21.EXHIBIT,
        section_7_1.EXHIBIT,
    ),
    (
        (
            "table 1 on its own device, a Virtex-II Pro",
            "no free tool places on it; an ECP5 takes its place",
        ),
        (
            "two loop counts of table 2, vm1748 and fnl4461",
            "fnl4461 has many ties, which arithmetic breaks one way or the other; for vm1748 the reason is unknown",
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
