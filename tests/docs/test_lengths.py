"""Pages are short enough to be read: words as ``wc -w`` counts them."""

from __future__ import annotations

from pathlib import Path

from documents import ROOT

MOST = {"user": 2500, "tutorials": 600, "recipes": 2500, "papers": 2500, "developer": 2000}
"""Words of a page, at most, by its folder; pages elsewhere in ``docs`` have the limit of the user's."""

LOG = 2500
"""Words of the page of experiments, a line for each, at most."""

FRONT = {"README.md": 700, "CHANGELOG.md": 2500}
"""Words of what a stranger reads first, at most."""

PAGES = sorted((ROOT / "docs").rglob("*.md"))


def limit_of(path: Path) -> int:
    return LOG if path.name == "experiments.md" else MOST.get(path.parent.name, MOST["user"])


def test_no_page_is_longer_than_its_limit() -> None:
    words = {path: len(path.read_text(encoding="utf-8").split()) for path in PAGES}
    assert {str(path.relative_to(ROOT)): count for path, count in words.items() if count > limit_of(path)} == {}


def test_what_a_stranger_reads_first_is_short() -> None:
    words = {name: len((ROOT / name).read_text(encoding="utf-8").split()) for name in FRONT}
    assert {name: count for name, count in words.items() if count > FRONT[name]} == {}


def test_there_are_pages() -> None:
    """Else none would be too long."""
    assert {page.parent.name for page in PAGES} == {"docs", *MOST}
