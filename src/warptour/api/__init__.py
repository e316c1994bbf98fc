"""What a user imports: read a problem, solve it, bound it, check and write the solution."""

from warptour.api.arrays import solve_matrix, solve_points
from warptour.api.choice import choose_strategy
from warptour.api.options import SolveOptions
from warptour.api.proof import bound
from warptour.api.solutions import check, write
from warptour.api.solving import solve, solve_async
from warptour.io.generate import generate
from warptour.io.read import read

__all__ = [
    "SolveOptions",
    "bound",
    "check",
    "choose_strategy",
    "generate",
    "read",
    "solve",
    "solve_async",
    "solve_matrix",
    "solve_points",
    "write",
]
