"""A paper whose tables and figures are measured again."""

from __future__ import annotations

from dataclasses import dataclass

from warptour.papers.exhibit import Exhibit


@dataclass(frozen=True)
class Paper:
    """A paper and its exhibits."""

    name: str  # what a user types: "oneil"
    title: str  # author, year and title of the document
    exhibits: tuple[Exhibit, ...]  # tables and figures that are reproduced
    missing: tuple[tuple[str, str], ...] = ()  # what of the paper is not reproduced, and why
