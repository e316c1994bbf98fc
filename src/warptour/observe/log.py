"""The log of searches, by ``logging`` under ``warptour``; silent until the program that embeds them wants it."""

from __future__ import annotations

import logging
import os
import sys

from warptour.model.errors import UsageError
from warptour.observe.events import Ended, Event, Improved, Note

ROOT = logging.getLogger("warptour")
ROOT.addHandler(logging.NullHandler())  # else Python prints warnings where nobody has configured logging

LEVELS = ("debug", "info", "warning", "error")
"""Words of ``WARPTOUR_LOG``."""

FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"


class Log:
    """A listener that logs a search: its beginning, its notes and its end as INFO, improvements as DEBUG.

    The end is a WARNING if a failure ended it.

    ``problem``: name of the problem
    ``settings``: what searches it: strategy, device, threads, seed
    """

    def __init__(self, problem: str, settings: str) -> None:
        self._problem = problem
        self._log = ROOT.getChild("search")
        self._log.info("%s: search by %s", problem, settings)

    def __call__(self, event: Event) -> None:
        state = event.state
        if isinstance(event, Improved):
            self._log.debug("%s: cost %s after %.3f s", self._problem, state.cost, state.seconds)
        elif isinstance(event, Note):
            self._log.info("%s: %s", self._problem, event.text)
        elif isinstance(event, Ended):
            level = logging.WARNING if event.reason == "failure" else logging.INFO
            facts = self._problem, event.reason, state.cost, state.seconds, state.iterations
            self._log.log(level, "%s: ended (%s): cost %s, %.3f s, %d iterations", *facts)


def show_log() -> None:
    """Print the log on standard error if ``WARPTOUR_LOG`` names a level; for the command line."""
    word = os.environ.get("WARPTOUR_LOG", "")
    if not word:
        return
    if word.lower() not in LEVELS:
        raise UsageError(f"WARPTOUR_LOG is {', '.join(LEVELS[:-1])} or {LEVELS[-1]}, not {word!r}")
    shown = logging.StreamHandler(sys.stderr)
    shown.setFormatter(logging.Formatter(FORMAT))
    ROOT.handlers = [shown]
    ROOT.setLevel(word.upper())
