"""A paper whose tables and figures are measured again."""

from __future__ import annotations

from dataclasses import dataclass

from warptour.papers.exhibit import Exhibit


@dataclass(frozen=True)
class Paper:
    """A paper and its exhibits.

    Attributes
    ----------
    name : str
        What a user types: "oneil".
    title : str
        Author, year and title of the document.
    exhibits : tuple
        Tables and figures that are reproduced.
    missing : tuple
        What of the paper is not reproduced, and why.
    """

    name: str
    title: str
    exhibits: tuple[Exhibit, ...]
    missing: tuple[tuple[str, str], ...] = ()
