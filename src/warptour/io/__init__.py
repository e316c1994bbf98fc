"""File formats: TSPLIB, CVRPLIB, CSV and NumPy problems, solutions, and instance generators."""

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
