"""File formats: TSPLIB, CVRPLIB, CSV and NumPy problems, solutions, and instance generators.

A spreadsheet is read by ``delimited`` or ``workbook`` into rows of cells, which ``cells`` understands. ``sheet`` is
the table below its header, which says by ``words.ini`` which column is which. ``stops`` makes a problem of it, with
``axes`` (coordinates), ``restrictions`` (time windows, and what is not supported), ``options`` (what the user says) and
``matrix`` (distances and durations beside stops). ``spreadsheet`` writes solutions.
"""

from warptour.io.generate import KINDS, demo_problem, from_spec, generate
from warptour.io.read import read
from warptour.io.solution import check_output, read_solution, write_solution
from warptour.io.write import write_problem

__all__ = [
    "KINDS",
    "check_output",
    "demo_problem",
    "from_spec",
    "generate",
    "read",
    "read_solution",
    "write_problem",
    "write_solution",
]
