"""Benchmarks of symmetric moves."""
