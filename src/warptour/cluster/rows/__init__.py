"""One tour, the rows of whose moves members scan at once."""
