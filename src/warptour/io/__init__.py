"""File formats: TSPLIB, CVRPLIB, CSV and NumPy problems, solutions, and instance generators.

A spreadsheet is read by ``delimited`` (CSV) or ``workbook`` (Excel) into cells, which ``cells`` understands.
``headers`` and ``words.ini`` say which column is which, ``sheet`` is the table below its header, ``stops`` makes a
problem of it, with ``restrictions`` (what is not supported), ``mistakes`` (doubtful coordinates), ``options`` (what the
user says) and ``square`` (matrices). ``spreadsheet`` writes solutions.
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
