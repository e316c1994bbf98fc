"""Pages are short enough to be read: words as ``wc -w`` counts them."""

from __future__ import annotations

from pathlib import Path

import pytest

from documents import ROOT

MOST = {"user": 2500, "recipes": 2500, "papers": 2500, "developer": 2000}
"""Words of a page, at most, by its folder; pages elsewhere in ``docs`` have the limit of the user's."""

LOG = 2500
"""Words of the page of experiments, a line for each, at most."""

PAGES = sorted((ROOT / "docs").rglob("*.md"))


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_page_is_no_longer_than_its_limit(path: Path) -> None:
    most = LOG if path.name == "experiments.md" else MOST.get(path.parent.name, MOST["user"])
    assert len(path.read_text(encoding="utf-8").split()) <= most


def test_there_are_pages() -> None:
    """Else none would be too long."""
    assert {page.parent.name for page in PAGES} == {"docs", *MOST}
