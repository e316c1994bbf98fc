"""The page of each paper is what its exhibits and their measured rows say."""

from __future__ import annotations

import importlib.util
import json
import sys
from dataclasses import replace
from types import ModuleType
from typing import Any

import pytest

from documents import ROOT
from warptour.papers import PAPERS, load

FOLDER = ROOT / "docs" / "papers"


@pytest.fixture(scope="module")
def pages() -> ModuleType:
    spec = importlib.util.spec_from_file_location("pages_of_papers", FOLDER / "pages.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look there
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", PAPERS)
def test_a_page_is_written_from_its_exhibits(pages: ModuleType, name: str) -> None:
    held = pages.held_by(name)
    assert (FOLDER / f"{name}.md").read_text(encoding="utf-8") == pages.page(name, held)
    known = {exhibit.name for exhibit in load(name).exhibits}
    assert set(pages.STORIES[name].headline) <= known
    if held is not None:
        assert {row["exhibit"] for row in held["rows"]} <= known
        assert "commit " in held["version"] and "with changes" not in held["version"]


def record(exhibit: str, **fields: Any) -> dict[str, Any]:
    row = {"suite": "x", "case": "a|b", "n": 9, "device": "cpu", "value": 3.0, "unit": "s", "limit": None, "peer": 2.0}
    return row | fields | {"exhibit": exhibit}


def test_rows_stand_beside_the_papers_with_their_ratio_and_commit(pages: ModuleType) -> None:
    paper, story = load("ermis"), replace(pages.STORIES["ermis"], headline=("table-4.8", "table-4.19"))
    rows = [record("table-4.8"), record("table-4.8", case="no peer", peer=None), record("table-4.23")]
    held = {"command": "c", "date": "d", "device": "gpu", "version": "v, commit 1", "absent": "stand-ins", "rows": rows}
    text = "\n".join(pages.lines(paper, story, json.loads(json.dumps(held))))
    assert "| a\\|b | 9 | cpu | 3 | 2 | s | 1.5 |" in text and "no peer" not in text
    assert "by `c`, d, on gpu, by v, commit 1.\n" in text and "Stand-ins." in text
    assert "Not measured yet: `table-4.19`" in text and "table-4.23" not in text
    many = "\n".join(pages.table([pages.row_of(record("t", case=str(k)))[1] for k in range(20)]))
    assert "| and 8 more rows |" in many
