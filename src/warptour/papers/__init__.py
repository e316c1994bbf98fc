"""Tables and figures of papers, measured again: ``warptour reproduce PAPER [EXHIBIT ...]``.

Each paper is a folder with a :class:`~warptour.papers.paper.Paper` in its ``__init__``, each of its tables and
figures an :class:`~warptour.papers.exhibit.Exhibit`. Importing them measures nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Final

from warptour.model.errors import UsageError
from warptour.papers.exhibit import Exhibit
from warptour.papers.paper import Paper

PAPERS: Final[dict[str, str]] = {
    "oneil": "warptour.papers.oneil.exhibits",
    "rocki": "warptour.papers.rocki.exhibits",
    "mavroidis": "warptour.papers.mavroidis.exhibits",
    "schulz": "warptour.papers.schulz.exhibits",
    "ermis": "warptour.papers.ermis.exhibits",
}
"""Module of each paper, imported on use; its ``PAPER`` is the paper."""

FIRST: Final = ("oneil",)
"""Papers with an exhibit over the first cities of an instance (``--first``)."""


def load(name: str) -> Paper:
    """Return a paper by its name."""
    if name not in PAPERS:
        raise UsageError(f"unknown paper {name!r}; there are {', '.join(PAPERS)}")
    try:
        module = import_module(PAPERS[name])
    except ModuleNotFoundError as error:
        if error.name != PAPERS[name]:
            raise
        raise UsageError(f"{name} is not part of this version yet") from None
    paper = module.PAPER
    assert isinstance(paper, Paper)
    return paper


def choose(paper: Paper, names: Sequence[str]) -> list[Exhibit]:
    """Return the named exhibits in the paper's order; all of them without names."""
    if not paper.exhibits:
        reasons = "; ".join(why for _, why in paper.missing) or "it has no exhibits in this version yet"
        raise UsageError(f"nothing of {paper.name} is reproduced: {reasons}")
    known = {exhibit.name.replace("-", ""): exhibit.name for exhibit in paper.exhibits}
    wanted = [name.replace("-", "") for name in names]  # "table1" is "table-1"
    for name, plain in zip(names, wanted, strict=True):
        if plain not in known:
            raise UsageError(f"{paper.name} has no exhibit {name!r}; there are {', '.join(known.values())}")
    return [exhibit for exhibit in paper.exhibits if not names or exhibit.name.replace("-", "") in wanted]
