"""The command line: each command parses its arguments, calls the API and prints."""

from __future__ import annotations

import errno
import gc
import os
import signal
import sys
import warnings
from collections.abc import Sequence
from types import FrameType
from typing import NoReturn, TextIO

from warptour.cli.failure import INTERNAL, SHORTAGE, UNWRITTEN, complain, explain
from warptour.cli.show import printable
from warptour.model.errors import InputWarning
from warptour.observe.interrupt import Interrupt, Interrupted, give_up

UNREAD = 128 + 13
"""Exit code when the reader of standard output has gone: that of SIGPIPE, which Windows lacks."""

HANGUP, BREAK = (getattr(signal, name, None) for name in ("SIGHUP", "SIGBREAK"))
"""Sent when a terminal is closed: on POSIX, and on Windows, where Ctrl-Break sends it too."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the program with ``arguments``, by default those of the process, and exit with its status."""
    _occupy_standard_descriptors()
    code, interrupted = _run(arguments)
    error = _flush(sys.stdout, 1)
    if error is not None and code in (0, 1):
        code = _say_unwritten(error)
    _flush(sys.stderr, 2)
    if "warptour.cluster.links.mpi" in sys.modules:
        sys.modules["warptour.cluster.links.mpi"].end(code)
    if interrupted:
        os._exit(code)  # output is flushed; do not wait for a worker thread that was interrupted while starting
    sys.exit(code)


def _run(arguments: Sequence[str] | None) -> tuple[int, bool]:
    """Return the exit code and whether a signal was received."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    warnings.showwarning = _warn  # type: ignore[assignment]
    for category in (RuntimeWarning, InputWarning):
        warnings.filterwarnings("always", category=category)  # never raise: the search must go on
    signals = [number for number in (signal.SIGINT, signal.SIGTERM, BREAK) if number is not None]
    if HANGUP is not None and signal.getsignal(HANGUP) is not signal.SIG_IGN:  # nohup ignores it
        signals.append(HANGUP)
    for number in signals:
        signal.signal(number, _ignore if number == HANGUP else _quit)
    code, kept = 0, False
    words = sys.argv[1:] if arguments is None else arguments
    with Interrupt(*signals, action=lambda: _leave(interrupt, words)) as interrupt:
        try:
            gc.disable()  # imports leave no garbage, and looking for it takes a tenth of their time
            from warptour.cli.commands import program
            from warptour.model.audience import at_the_command_line
            from warptour.observe.log import show_log

            with at_the_command_line():
                # imports are slow; until they are done a signal ends the process at once
                run = program(words, interrupt)
                gc.freeze()
                gc.enable()
                interrupt.action = give_up
                show_log()
                code = run()
            kept = code in (INTERNAL, SHORTAGE, UNWRITTEN)
        except Interrupted:
            complain(_early(words))
        except OSError as error:  # from standard output; other files raise our own errors
            code = _say_unwritten(error)
        except Exception as error:
            message, code = explain(error)
            kept = code in (INTERNAL, SHORTAGE, UNWRITTEN)
            complain(f"warptour: {message}")
    if interrupt.received is None:
        return code, False
    return code if kept else 128 + interrupt.received, True


def _early(words: Sequence[str]) -> str:
    """Return what to say of a command that was interrupted before it had a result."""
    searches = words and words[0] in ("solve", "demo")
    return f"warptour: interrupted before there was a {'first solution' if searches else 'result'}"


def _leave(interrupt: Interrupt, words: Sequence[str]) -> NoReturn:
    """Exit on a signal during imports, where raising an exception is unsafe."""
    complain(_early(words))
    os._exit(128 + (interrupt.received or 0))


def _quit(number: int, frame: FrameType | None) -> None:
    """Exit at once on a second signal."""
    os._exit(128 + number)


def _ignore(number: int, frame: FrameType | None) -> None:
    """Ignore a second SIGHUP: shell and kernel may send one each, and there is no impatient user."""


def _warn(message: Warning | str, *rest: object) -> None:
    """Print a warning as one line, without source location."""
    complain(f"warptour: {printable(str(message))}")


def _say_unwritten(error: OSError) -> int:
    """Return the exit code for a failed write to standard output, and print the reason unless the reader has gone."""
    if isinstance(error, BrokenPipeError) or (os.name == "nt" and error.errno == errno.EINVAL):
        return UNREAD
    complain(f"warptour: standard output: {error.strerror or error}")
    return UNWRITTEN


def _flush(stream: TextIO | None, descriptor: int) -> OSError | None:
    """Flush a stream; on failure redirect it to /dev/null, so that the interpreter does not retry at exit."""
    try:
        if stream is not None:
            stream.flush()
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), descriptor)
        return error
    return None


def _occupy_standard_descriptors() -> None:
    """Open /dev/null for closed standard streams, so that no output file gets their descriptors."""
    for descriptor in range(3):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
