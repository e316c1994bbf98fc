"""First routes."""
