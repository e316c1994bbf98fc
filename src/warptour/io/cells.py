r"""Escaping of names in CSV cells, so that neither spreadsheets nor terminals execute them, and its inverse.

A name that a spreadsheet would interpret as a formula gets a leading apostrophe. Control characters become
``\u001b``, as in JSON. Surrounding white space is stripped.
"""

from __future__ import annotations

import re
from typing import Final

FORMULA: Final = re.compile(r"'*[=+\-@＝＋－＠]")
"""Start of a formula, possibly escaped already by apostrophes."""

CODE: Final = r"u00(?:[01][0-9a-f]|7f|[89][0-9a-f]|5c)"
CONTROL: Final = re.compile(rf"[\x00-\x08\x0b-\x1f\x7f-\x9f]|\\(?={CODE})")
"""Characters to escape: control characters except tab and line feed, and backslashes that look like an escape."""

CODED: Final = re.compile(rf"\\{CODE}")


def cell_text(name: str) -> str:
    """Return a name as a CSV cell, quoted if necessary."""
    text = CONTROL.sub(lambda found: f"\\u{ord(found[0]):04x}", name).strip()
    if FORMULA.match(text):
        text = "'" + text
    return '"' + text.replace('"', '""') + '"' if re.search(r'[",;\t\n]', text) else text


def name_of(cell: str) -> str:
    """Return the name in a cell: the inverse of :func:`cell_text`."""
    text = cell.strip()
    if text.startswith("'") and FORMULA.match(text):
        text = text[1:]
    return CODED.sub(lambda found: chr(int(found[0][2:], 16)), text)
