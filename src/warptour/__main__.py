"""``python -m warptour`` and ``warptour`` are the same program."""

import os
import signal
from types import FrameType


def _leave(number: int, frame: FrameType | None) -> None:
    """What Ctrl-C does until the program can do better: no traceback of half an import."""
    os._exit(128 + number)


signal.signal(signal.SIGINT, _leave)

# OpenBLAS, which NumPy loads, would start a thread per core, and raise SIGINT where memory is too short for them;
# the search has threads of its own.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from warptour.cli import main  # noqa: E402 (what takes time comes after the above)

if __name__ == "__main__":
    main()
