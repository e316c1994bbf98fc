"""Lower bounds on the cost of vehicle routes: linear programs over edges and over routes, and proofs of optimality."""

from warptour.bound.vehicles.bound import prove_vehicles
from warptour.bound.vehicles.network import refusal
from warptour.bound.vehicles.program import require_solver

__all__ = ["prove_vehicles", "refusal", "require_solver"]
