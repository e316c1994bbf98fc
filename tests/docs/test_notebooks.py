"""Every notebook runs from its first cell to its last, on bundled data, and is kept without outputs."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import Any

import pytest
from running import run_command, skip_for_want

from documents import ROOT
from warptour.model.errors import MissingLibrary

NOTEBOOKS = sorted(ROOT.glob("docs/notebooks/*.ipynb"))


def cells(notebook: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    return found


def shown(source: str, place: str, names: dict[str, Any]) -> Any:
    """Run a cell as Jupyter does; return what its last line is, if that is an expression."""
    for line in source.splitlines():
        if line.startswith("!"):
            run_command(place, line[1:])
    tree = ast.parse("\n".join(line for line in source.splitlines() if not line.startswith("!")))
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, place, "exec"), names)
    return eval(compile(ast.Expression(last.value), place, "eval"), names) if last is not None else None


@pytest.mark.every_case
@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs(notebook: Path, folder: Path) -> None:
    pytest.importorskip("pandas", reason="pandas is not installed")
    names: dict[str, Any] = {}
    results = 0
    for number, cell in enumerate(cells(notebook)):
        if cell["cell_type"] == "code":
            try:
                value = shown("".join(cell["source"]), f"{notebook.name}, cell {number}", names)
            except MissingLibrary as error:
                skip_for_want(str(error))
                raise
            if hasattr(value, "_repr_html_"):
                results += 1
                assert value._repr_html_()
    assert results >= (notebook.stem != "research") and folder.exists()


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_kept_without_outputs(notebook: Path) -> None:
    book = json.loads(notebook.read_text(encoding="utf-8"))
    assert (book["nbformat"], book["metadata"]["language_info"]["name"]) == (4, "python")
    codes = [cell for cell in book["cells"] if cell["cell_type"] == "code"]
    assert [cell for cell in codes if cell["outputs"] or cell["execution_count"] is not None] == []
    assert len({cell["id"] for cell in book["cells"]}) == len(book["cells"])
    assert book["cells"][0]["source"][0].startswith("# ")
    assert notebook.read_text(encoding="utf-8") == json.dumps(book, indent=1, ensure_ascii=False) + "\n"


def test_there_are_notebooks_and_the_front_page_names_them() -> None:
    page = (ROOT / "docs" / "README.md").read_text(encoding="utf-8")
    assert len(NOTEBOOKS) >= 4 and [book.name for book in NOTEBOOKS if f"notebooks/{book.name}" not in page] == []
