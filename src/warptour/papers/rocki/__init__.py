"""Rocki (2013): iterated local search with one kernel source for GPUs and CPUs."""
