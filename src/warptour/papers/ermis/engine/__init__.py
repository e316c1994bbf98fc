"""Scans as jobs, and local search over several neighbourhoods."""
