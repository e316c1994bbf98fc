"""The programs that are known, and ``NAME`` or ``NAME=COMMAND`` as one of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from warptour.compare.peers.ails import Ails
from warptour.compare.peers.filo2 import Filo2
from warptour.compare.peers.hgs import Hgs
from warptour.compare.peers.linkern import Linkern
from warptour.compare.peers.lkh import Lkh
from warptour.compare.peers.modules import Elkai, FastTsp, Hygese, OrTools, PyVrp, Vroom
from warptour.compare.peers.peer import Peer
from warptour.compare.peers.template import Template
from warptour.model.errors import UsageError

PEERS: Final[tuple[type[Peer], ...]] = (
    Linkern, Lkh, FastTsp, Elkai, OrTools, Hgs, Hygese, Filo2, Ails, PyVrp, Vroom,
)  # fmt: skip

OTHER: Final = "NAME=COMMAND with {file} and {output}"


def find_peer(text: str) -> Peer:
    """Return the program of ``NAME`` or ``NAME=COMMAND``.

    The names of :data:`PEERS` may be written in any case, without hyphens; another name needs the whole command.

    Raises :class:`UsageError` if the name is unknown, or there is no such program.
    """
    name, equals, command = (part.strip() for part in text.partition("="))
    known = {_plain(peer.name): peer for peer in PEERS}
    if _plain(name) in known:
        return known[_plain(name)](command if equals else None)
    if not name or not equals:
        names = ", ".join(peer.name for peer in PEERS)
        raise UsageError(f"--peer {text}: known are {names}; another program is {OTHER}")
    return Template(name, command)


def find_peers(texts: Sequence[str]) -> list[Peer]:
    """Return the programs of several texts, each name once."""
    found = [find_peer(text) for text in texts]
    names = [peer.name for peer in found]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise UsageError(f"--peer {twice} is given twice; under another name it is {OTHER}")
    return found


def _plain(name: str) -> str:
    return "".join(letter for letter in name.lower() if letter.isalnum())
