"""Variable neighbourhood search."""
