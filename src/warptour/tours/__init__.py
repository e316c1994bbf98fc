"""The tour solver."""
