"""VROOM's JSON: a problem as its users write it, and the answer as they read it (docs/user/vroom.md)."""
