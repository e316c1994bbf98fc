"""Iterated local search in windows of the tour, and edge assembly crossover between tours."""
