"""Lower bounds on the cost of vehicle routes: linear programs over edges and over routes, and proofs of optimality."""
