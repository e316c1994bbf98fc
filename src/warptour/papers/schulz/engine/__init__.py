"""Complete 2-opt and 3-opt neighbourhoods of giant tours, after Schulz (2011)."""
