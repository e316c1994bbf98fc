"""Files: TSPLIB, CVRPLIB, CSV and NumPy problems, solutions, and instance generators."""
