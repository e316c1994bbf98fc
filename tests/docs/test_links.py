"""Every relative link and image of the documents leads somewhere."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from documents import DOCUMENTS, ROOT, anchors, blocks, links


def broken_links(path: Path) -> Iterator[str]:
    for line, target in links(path.read_text(encoding="utf-8")):
        name, _, anchor = target.partition("#")
        goal = path.parent / name if name else path
        if not goal.exists():
            yield f"{path.relative_to(ROOT)}:{line}: there is no {name}"
        elif anchor and anchor not in anchors(goal.read_text(encoding="utf-8")):
            yield f"{path.relative_to(ROOT)}:{line}: {goal.name} has no heading #{anchor}"


def test_links_hold() -> None:
    assert [fault for path in DOCUMENTS for fault in broken_links(path)] == []


def test_links_and_headings_are_found_where_they_are() -> None:
    """Else links that hold would prove nothing."""
    text = (
        "# One `two`, three\n[a](b.md#c) ![d](e.svg)\n```sh\n# no heading\n[no](link)\n```\n"
        '`[no](span)` [site](https://example.org) <img src="f.png">\n## Same\n## Same\n'
    )
    assert list(links(text)) == [(2, "b.md#c"), (2, "e.svg"), (7, "f.png")]
    assert anchors(text) == {"one-two-three", "same", "same-1"}
    (block,) = blocks(text)
    assert (block.language, block.line, block.text) == ("sh", 4, "# no heading\n[no](link)\n")
