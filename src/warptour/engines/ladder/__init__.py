"""The ladder: the 2-opt kernels of the papers, each a rung that is chosen by name and measured beside the others."""
