"""Every command and every Python block of the README, of ``docs/user`` and of the tutorials runs, on bundled data.

The blocks of a document run in order, in one folder and one Python namespace. A block that is marked ``text``, or is in
another language than Python and the shell's, does not run. Limits on time are cut down: see ``shortened.py``.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from running import run_document, run_process

from documents import ROOT, blocks

DOCUMENTS = [ROOT / "README.md", *sorted(ROOT.glob("docs/user/*.md")), *sorted(ROOT.glob("docs/tutorials/*.md"))]


@pytest.mark.every_case
@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_every_block_runs(document: Path, folder: Path) -> None:
    run_document(document)
    assert folder.exists()


def test_best_known_costs_are_made_of_public_solutions(folder: Path) -> None:
    (folder / "best.csv").unlink()
    (folder / "X-n5-k2.sol").write_text("Route #1: 1 2\nRoute #2: 3 4\nCost 1234\n")
    (recipe,) = [
        block for block in blocks((ROOT / "benchmarks" / "README.md").read_text("utf-8")) if block.language == "sh"
    ]
    code, _, err = run_process(recipe.text)
    assert code == 0, err
    assert (folder / "best.csv").read_text() == "name,best\nX-n5-k2,1234\n"
