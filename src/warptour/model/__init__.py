"""Problems, metrics, solutions and errors: exact by definition, NumPy only."""
