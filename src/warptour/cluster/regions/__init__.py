"""One large tour, whose regions members search at once."""
