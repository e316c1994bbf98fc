"""Benchmarks of variable neighbourhood search."""
