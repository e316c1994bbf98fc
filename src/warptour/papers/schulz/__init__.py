"""Schulz (2011): distance-constrained vehicle routing on a GPU."""
