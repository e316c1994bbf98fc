"""What each kind of generated instance is made of."""
