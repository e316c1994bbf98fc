"""Symmetric 2-opt on the CPU, on devices and on the modelled FPGA."""
