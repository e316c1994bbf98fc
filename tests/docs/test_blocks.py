"""Every command and every Python block of the README and of ``docs/user`` runs, on bundled data.

The blocks of a document run in order, in one folder and one Python namespace. A block that is marked ``text``, or is in
another language than Python and the shell's, does not run. Limits on time are cut down: see ``shortened.py``.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from running import run_document

from documents import ROOT

DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs" / "user").glob("*.md"))]


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_every_block_runs(document: Path, folder: Path) -> None:
    run_document(document)
    assert folder.exists()
