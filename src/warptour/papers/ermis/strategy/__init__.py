"""Descents through several neighbourhoods, and variable neighbourhood search."""
