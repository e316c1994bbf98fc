"""Problems, metrics, results and errors, with exact costs. NumPy only."""
