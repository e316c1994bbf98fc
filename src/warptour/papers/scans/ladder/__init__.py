"""The ladder: the 2-opt kernels of the papers and ours, each a rung chosen by name and measured beside the others."""
