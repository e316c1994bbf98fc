"""Mavroidis (2011): symmetric 2-opt on an FPGA and a GPU."""

from __future__ import annotations

from typing import Final

from warptour.reproduce.mavroidis import (
    chapter_2,
    chapter_6,
    figure_6,
    figure_7,
    figure_8,
    figure_9,
    figure_18,
    figure_19,
    figure_20,
    figure_21,
    partitions,
    section_5_2,
    stopping_rule,
    table_2,
)
from warptour.reproduce.paper import Paper

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
        table_2.EXHIBIT,
        chapter_6.EXHIBIT,
        figure_18.EXHIBIT,
        figure_19.EXHIBIT,
        figure_20.EXHIBIT,
        figure_21.EXHIBIT,
    ),
    (
        (
            "table 1 of chapter 5, area and clock on a Virtex II Pro",
            "that is a synthesis, and nothing here synthesises",
        ),
        (
            "Concorde's own times",
            "Concorde is not part of warptour; our descent by neighbour lists stands in its place",
        ),
        ("figures 1 to 5 and 10 to 16", "they are drawings and have nothing to measure"),
    ),
)
