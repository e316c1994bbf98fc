"""The vehicle solver."""
