"""Vehicle routing engines: ruin and recreate, and local search with penalties."""
