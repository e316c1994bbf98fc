"""Vehicle routes, whose groups members search at once."""
