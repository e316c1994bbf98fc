"""Proofs of optimality by branch and cut: a linear program, cuts, branching, and bounds in exact arithmetic."""
