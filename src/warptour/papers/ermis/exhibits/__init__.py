"""Ermis (2015): 2-opt and 3-opt on a small GPU, and how to launch them."""

from __future__ import annotations

from typing import Final

from warptour.papers.ermis.exhibits import (
    best_launches,
    chapter_5,
    descents,
    index_tables,
    launches,
    long_tours,
    occupancies,
    worked_example,
)
from warptour.papers.ermis.exhibits.printed import NAME, TITLE
from warptour.papers.paper import Paper

PAPER: Final = Paper(
    NAME,
    TITLE,
    (
        *worked_example.EXHIBITS,
        best_launches.TABLE_4_7,
        best_launches.TABLE_4_9,
        best_launches.TABLE_4_12,
        best_launches.TABLE_4_14,
        best_launches.TABLE_4_20,
        *occupancies.TABLES,
        *occupancies.FIGURES,
        descents.TABLE_4_15,
        long_tours.TABLE_4_19,
        descents.TABLE_4_21,
        *index_tables.EXHIBITS,
        *launches.EXHIBITS,
        long_tours.TABLE_B_1,
        descents.TABLE_B_2,
        *chapter_5.EXHIBITS,
    ),
    (
        ("costs, in all tables", "the instances have no names and their coordinates are not given"),
        (
            "costs and iterations that differ between launches, appendix A",
            "atomicMin lets timing choose among equal moves; here every launch finds the same move",
        ),
        ("times of a Quadro K600", "no current driver runs it; its occupancy comes from the model"),
    ),
)
