"""Descents over complete neighbourhoods of giant tours."""
