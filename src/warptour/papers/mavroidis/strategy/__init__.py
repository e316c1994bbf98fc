"""Symmetric 2-opt, annealing and partitions."""
