"""Iterated local search over neighbour lists, or over all 2-opt moves."""
