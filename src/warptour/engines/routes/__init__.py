"""Routes under ruin and recreate, and under penalised local search."""
