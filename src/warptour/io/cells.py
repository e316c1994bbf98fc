r"""Names as cells of a CSV, so that neither a spreadsheet nor a terminal executes them, and back again.

A name that a spreadsheet would take for a formula gets an apostrophe before it, as one types it there. A control
character becomes ``\u001b``, as in JSON. White space around a name is no part of it.
"""

from __future__ import annotations

import re
from typing import Final

FORMULA: Final = re.compile(r"'*[=+\-@＝＋－＠]")
"""How a formula begins, or the name of one that has its apostrophe."""

CODE: Final = r"u00(?:[01][0-9a-f]|7f|[89][0-9a-f]|5c)"
CONTROL: Final = re.compile(rf"[\x00-\x08\x0b-\x1f\x7f-\x9f]|\\(?={CODE})")
"""Characters that are written as codes: controls, but for tabs and line feeds, and a backslash that looks like one."""

CODED: Final = re.compile(rf"\\{CODE}")


def cell_text(name: str) -> str:
    """Return a name as a cell, in quotes where it needs them."""
    text = CONTROL.sub(lambda found: f"\\u{ord(found[0]):04x}", name).strip()
    if FORMULA.match(text):
        text = "'" + text
    return '"' + text.replace('"', '""') + '"' if re.search(r'[",;\t\n]', text) else text


def name_of(cell: str) -> str:
    """Return the name that a cell holds."""
    text = cell.strip()
    if text.startswith("'") and FORMULA.match(text):
        text = text[1:]
    return CODED.sub(lambda found: chr(int(found[0][2:], 16)), text)
