"""Symmetric 2-opt (Mavroidis 2011) on the CPU, on GPUs and on an emulated FPGA."""
