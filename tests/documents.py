"""The Markdown documents as tests read them: blocks of code, links and headings."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DOCUMENTS = sorted(path for pattern in ("*.md", "docs/**/*.md", "benchmarks/*.md") for path in ROOT.glob(pattern))

FENCE = re.compile(r"\s*(`{3,}|~{3,})\s*(\w*)")
LINK = re.compile(
    r"\[[^\]]*\]\(\s*<?([^)\s>]+)>?[^)]*\)|^\s*\[[^\]]+\]:\s+(\S+)|<(?:img|a)\s[^>]*(?:src|href)=\"([^\"]+)\""
)


@dataclass(frozen=True)
class Block:
    """A fenced block: the word after the fence, the number of its first line of text from 1, and that text."""

    language: str
    line: int
    text: str


def blocks(text: str) -> list[Block]:
    """Return the fenced blocks of a document, in order."""
    found: list[Block] = []
    fence: re.Match[str] | None = None
    begin, lines = 0, text.splitlines()
    for number, line in enumerate(lines, 1):
        match = FENCE.match(line)
        if fence is None and match:
            fence, begin = match, number
        elif fence is not None and line.strip() == fence[1]:
            found.append(Block(fence[2], begin + 1, "\n".join(lines[begin : number - 1]) + "\n"))
            fence = None
    assert fence is None, f"the block that begins in line {begin} has no end"
    return found


def prose(text: str) -> list[str]:
    """Return the lines of a document with code, in blocks and in spans, blanked out."""
    lines = text.splitlines()
    for block in blocks(text):
        inside = block.text.count("\n")
        lines[block.line - 2 : block.line + inside] = [""] * (inside + 2)
    return [re.sub(r"(`+)(.+?)\1", "", line) for line in lines]


def links(text: str) -> Iterator[tuple[int, str]]:
    """Yield the line and the target of every link and image that leads to a file or a heading, not to a site."""
    for number, line in enumerate(prose(text), 1):
        for match in LINK.finditer(line):
            target = next(filter(None, match.groups()))
            if not re.match(r"[a-z][a-z0-9+.-]*:", target):
                yield number, target


def anchors(text: str) -> set[str]:
    """Return what a link can name after ``#``, as the usual hosts derive it from the headings."""
    inside = {
        number for block in blocks(text) for number in range(block.line - 1, block.line + block.text.count("\n") + 1)
    }
    seen: dict[str, int] = {}
    for number, line in enumerate(text.splitlines(), 1):
        heading = re.match(r"#{1,6}\s+(.*?)\s*#*\s*$", line)
        if heading and number not in inside:
            words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading[1])
            slug = re.sub(r"[^\w\- ]", "", words.lower()).replace(" ", "-")
            seen[slug] = seen.get(slug, -1) + 1
            if seen[slug]:
                seen[f"{slug}-{seen[slug]}"] = 0
    return set(seen)
