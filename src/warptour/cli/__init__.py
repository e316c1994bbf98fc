"""The command line: each command parses, calls the API and prints."""

from __future__ import annotations

import os
import signal
import sys
import warnings
from collections.abc import Sequence
from types import FrameType

from warptour.cli.failure import explain
from warptour.cli.show import printable
from warptour.observe.interrupt import Interrupt, Interrupted, give_up


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the program with ``arguments``, by default those of the process, and exit with its code."""
    code = _run(arguments)
    try:
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:
                stream.flush()
    except OSError:
        code = code or 128 + signal.SIGPIPE
    if sys.stdout is not None and code == 128 + signal.SIGPIPE:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # what is left in the buffer has no reader
    if code in (128 + signal.SIGINT, 128 + signal.SIGTERM):
        os._exit(code)  # all is written; a worker thread that the signal caught in its first moment is not waited for
    sys.exit(code)


def _run(arguments: Sequence[str] | None) -> int:
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    warnings.showwarning = _warn  # type: ignore[assignment]
    signals = (signal.SIGINT, signal.SIGTERM)
    for number in signals:
        signal.signal(number, _quit)
    with Interrupt(*signals, action=give_up) as interrupt:
        try:
            from warptour.cli.app import app

            words = sys.argv[1:] if arguments is None else list(arguments)
            code = app(args=words or ["--help"], prog_name="warptour", standalone_mode=False, obj=interrupt)
        except Interrupted:
            print("warptour: interrupted before there was a first solution", file=sys.stderr)
        except BrokenPipeError:
            return 128 + signal.SIGPIPE
        except Exception as error:
            message, code = explain(error)
            print(f"warptour: {message}", file=sys.stderr)
        return int(code or 0) if interrupt.received is None else 128 + interrupt.received


def _warn(message: Warning | str, *rest: object) -> None:
    """Print a warning as one line, without the code it comes from."""
    print(f"warptour: {printable(str(message))}", file=sys.stderr)


def _quit(number: int, frame: FrameType | None) -> None:
    """What a second signal does: nothing is worth waiting for any more."""
    os._exit(128 + number)
