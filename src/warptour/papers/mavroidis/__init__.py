"""Mavroidis (2011): symmetric 2-opt moves on an FPGA and a GPU, annealing and partitions."""
