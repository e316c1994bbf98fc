"""``python -m warptour`` is the same program as ``warptour``."""

from warptour.cli import main

main()
