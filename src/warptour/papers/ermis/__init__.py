"""Ermis (2015): 2-opt and 3-opt on a GPU, occupancy and variable neighbourhood search."""
