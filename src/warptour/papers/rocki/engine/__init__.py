"""The 2-opt kernels of Rocki (2013)."""
