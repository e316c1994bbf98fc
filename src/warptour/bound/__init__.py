"""Lower bounds on the cost of tours: Held-Karp by subgradient ascent on 1-trees."""

from warptour.bound.bound import Bound, prove_bound

__all__ = ["Bound", "prove_bound"]
