"""Schulz (2011): local search for vehicle routes on a GPU."""

from __future__ import annotations

from typing import Final

from warptour.papers.paper import Paper
from warptour.papers.schulz.exhibits import coordination, figures, kernels, table_5, timelines
from warptour.papers.schulz.printed import NAME, TITLE

PAPER: Final = Paper(
    NAME,
    TITLE,
    (
        table_5.EXHIBIT,
        *kernels.TABLES,
        *timelines.EXHIBITS,
        figures.FIGURE_10,
        figures.FIGURE_11,
        kernels.FIGURE_12,
        figures.FIGURE_13,
        figures.FIGURE_14,
        figures.FIGURE_15,
        figures.FIGURE_16,
        figures.FIGURE_17,
        figures.FIGURE_18,
        figures.FIGURE_19,
        figures.FIGURE_24,
        coordination.FIGURE_25,
        coordination.MOVE_COPY,
        coordination.SPLITTING,
    ),
    (
        ("times of a GTX 480", "no current driver or compiler supports it; its times stand beside those of this GPU"),
        ("screen shots of NSIGHT, figures 7 to 9 and 20 to 23", "their phases are measured and drawn as bars instead"),
        ("figures 1 to 6", "they are drawings and listings and have nothing to measure"),
    ),
)
