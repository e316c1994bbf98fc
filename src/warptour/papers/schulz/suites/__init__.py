"""Benchmarks of the neighbourhoods of giant tours."""
