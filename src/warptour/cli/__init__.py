"""The command line: each command parses, calls the API and prints."""

from __future__ import annotations

import os
import signal
import sys
import warnings
from collections.abc import Sequence
from types import FrameType
from typing import NoReturn, TextIO

from warptour.cli.failure import INTERNAL, SHORTAGE, UNWRITTEN, complain, explain
from warptour.cli.show import printable
from warptour.observe.interrupt import Interrupt, Interrupted, give_up

UNREAD = 128 + signal.SIGPIPE
"""Exit code where nobody reads standard output any more."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the program with ``arguments``, by default those of the process, and exit with its code."""
    _occupy_standard_descriptors()
    code, interrupted = _run(arguments)
    error = _flush(sys.stdout, 1)
    if error is not None and code in (0, 1):
        code = _say_unwritten(error)
    _flush(sys.stderr, 2)
    if interrupted:
        os._exit(code)  # all is written; a worker thread that the signal caught in its first moment is not waited for
    sys.exit(code)


def _run(arguments: Sequence[str] | None) -> tuple[int, bool]:
    """Return the exit code and whether a signal came."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    warnings.showwarning = _warn  # type: ignore[assignment]
    warnings.filterwarnings("always", category=RuntimeWarning)  # never an error: a search is worth more
    signals = [signal.SIGINT, signal.SIGTERM]
    if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:  # as nohup leaves it
        signals.append(signal.SIGHUP)
    for number in signals:
        signal.signal(number, _ignore if number == signal.SIGHUP else _quit)
    code, kept = 0, False
    with Interrupt(*signals, action=lambda: _leave(interrupt)) as interrupt:
        try:
            from warptour.cli.app import app  # takes a while; a signal until then ends the process at once

            interrupt.action = give_up
            words = sys.argv[1:] if arguments is None else list(arguments)
            code = int(app(args=words or ["--help"], prog_name="warptour", standalone_mode=False, obj=interrupt) or 0)
            kept = code in (INTERNAL, SHORTAGE, UNWRITTEN)
        except Interrupted:
            complain(EARLY)
        except SystemExit:  # which is what typer makes of a broken pipe, with exit code 1
            code = UNREAD
        except OSError as error:  # of standard output: for files there are errors of our own
            code = _say_unwritten(error)
        except Exception as error:
            message, code = explain(error)
            kept = code in (INTERNAL, SHORTAGE, UNWRITTEN)
            complain(f"warptour: {message}")
    if interrupt.received is None:
        return code, False
    return code if kept else 128 + interrupt.received, True


EARLY = "warptour: interrupted before there was a first solution"


def _leave(interrupt: Interrupt) -> NoReturn:
    """What a signal does while modules are imported, which does not expect exceptions."""
    complain(EARLY)
    os._exit(128 + (interrupt.received or 0))


def _quit(number: int, frame: FrameType | None) -> None:
    """What a second signal does: nothing is worth waiting for any more."""
    os._exit(128 + number)


def _ignore(number: int, frame: FrameType | None) -> None:
    """What a second SIGHUP does: shell and kernel may send one each, and nobody is there to become impatient."""


def _warn(message: Warning | str, *rest: object) -> None:
    """Print a warning as one line, without the code it comes from."""
    complain(f"warptour: {printable(str(message))}")


def _say_unwritten(error: OSError) -> int:
    """Return the exit code for standard output that cannot be written, and say why unless its reader has left."""
    if isinstance(error, BrokenPipeError):
        return UNREAD
    complain(f"warptour: standard output: {error.strerror or error}")
    return UNWRITTEN


def _flush(stream: TextIO | None, descriptor: int) -> OSError | None:
    """Bring what is printed to its reader; what cannot be is dropped, so that the interpreter does not try again."""
    try:
        if stream is not None:
            stream.flush()
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), descriptor)
        return error
    return None


def _occupy_standard_descriptors() -> None:
    """Open /dev/null for standard streams that are closed, lest a file that is written gets the number of one."""
    for descriptor in range(3):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
