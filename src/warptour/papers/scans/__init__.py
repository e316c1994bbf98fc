"""Full scans of a neighbourhood: every move of a tour is evaluated."""
