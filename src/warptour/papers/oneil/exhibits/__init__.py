"""O'Neil and Burtscher (2015): random-restart hill climbing with 2-opt on a GPU."""

from __future__ import annotations

from typing import Final

from warptour.papers.oneil.exhibits import slides
from warptour.papers.paper import Paper

PAPER: Final = Paper(
    "oneil",
    "Molly A. O'Neil, Martin Burtscher (2015): Rethinking the Parallelization of Random-Restart Hill Climbing",
    (slides.THROUGHPUT, slides.FIRST_MINIMUM, slides.RATIOS),
    (
        (
            "throughput of each kernel as printed, on a K40",
            "the slides show curves without numbers, and the GPU is gone; the program's v2.3, measured on an H200,"
            " stands beside `tuned`",
        ),
        (
            "20 cores of two Xeons",
            "these cores are not at hand: all cores of this machine take their place, by the same loop and by ours",
        ),
    ),
)
