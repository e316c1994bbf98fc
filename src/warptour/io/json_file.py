"""JSON files."""

from __future__ import annotations

import json
from os import PathLike
from typing import Any

from warptour.io.source import load
from warptour.model.errors import InputError


def load_json(path: str | PathLike[str]) -> Any:
    """Return what a JSON file holds; raise :class:`InputError` if it is none, or nested too deeply to be read."""
    try:
        return json.loads(load(path))
    except json.JSONDecodeError as error:
        raise InputError(f"is not JSON: {error.msg}", path, error.lineno) from None
    except UnicodeDecodeError as error:
        line = 1 + error.object.count(b"\n", 0, error.start)
        raise InputError("is not JSON in UTF-8", path, line) from None
    except RecursionError:
        raise InputError("is JSON that is nested too deeply", path) from None
    except ValueError:  # Python reads integers of a few thousand digits at most
        raise InputError("has an integer of too many digits", path) from None
