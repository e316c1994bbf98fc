"""Ermis (2015): 2-opt and 3-opt on a small GPU, and how to launch them."""

from __future__ import annotations

from typing import Final

from warptour.papers.ermis.exhibits import (
    best_launches,
    chapter_5,
    index_tables,
    launches,
    occupancies,
    table_4_15,
    table_4_19,
    table_4_21,
    table_b_1,
    table_b_2,
)
from warptour.papers.ermis.exhibits.printed import NAME, TITLE
from warptour.papers.paper import Paper

PAPER: Final = Paper(
    NAME,
    TITLE,
    (
        best_launches.TABLE_4_7,
        best_launches.TABLE_4_9,
        best_launches.TABLE_4_12,
        best_launches.TABLE_4_14,
        best_launches.TABLE_4_20,
        *occupancies.TABLES,
        *occupancies.FIGURES,
        table_4_15.EXHIBIT,
        table_4_19.EXHIBIT,
        table_4_21.EXHIBIT,
        *index_tables.EXHIBITS,
        *launches.EXHIBITS,
        table_b_1.EXHIBIT,
        table_b_2.EXHIBIT,
        *chapter_5.EXHIBITS,
    ),
    (
        ("costs, in all tables", "the instances have no names and their coordinates are not given"),
        (
            "costs and iterations that differ between launches, appendix A",
            "atomicMin lets timing choose among equal moves; here every launch finds the same move",
        ),
        ("times of a Quadro K600", "no current driver runs it; its occupancy comes from the model"),
        ("tables 4.1 to 4.6 and 4.16 to 4.18", "they are definitions and small examples, with nothing to measure"),
    ),
)
