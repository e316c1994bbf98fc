"""Every member searches the whole problem, and they exchange solutions."""
