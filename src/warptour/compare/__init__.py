"""Solvers side by side: strategies of warptour and other programs, at equal CPU time. ``warptour compare`` is its face.

Every answer is judged by the exact cost and the constraints of the problem, whatever the solver says of it.
"""
