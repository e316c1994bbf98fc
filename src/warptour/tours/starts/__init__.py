"""First tours: constructions by name."""
