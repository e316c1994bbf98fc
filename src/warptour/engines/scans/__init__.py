"""Scans of all moves of a neighbourhood."""
