"""The 2-opt kernels of O'Neil and Burtscher (2015), a climber per lane or per group."""
