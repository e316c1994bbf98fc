"""Whether a request comes from where it should: by its Host, and by its Origin if a browser sends it.

A page of another site that resolves to this machine has another Host: names are refused but for those of this machine.
"""

from __future__ import annotations

import ipaddress
import re
import socket
from collections.abc import Mapping
from typing import Final

HERE: Final = frozenset({"127.0.0.1", "localhost", "::1"})
"""Addresses that only this machine can reach."""
EVERYWHERE: Final = frozenset({"0.0.0.0", "::", ""})
HOST: Final = re.compile(r"(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9._-]+)(?::\d{1,5})?")


def bracketed(host: str) -> str:
    """Return a host as addresses have it: an IPv6 address has brackets."""
    return f"[{host}]" if ":" in host else host.lower()


class Hosts:
    """The names of a server.

    ``host``: Address that it listens on. On all addresses any numeric one is its name.
    """

    def __init__(self, host: str) -> None:
        self.everywhere = host in EVERYWHERE
        self.names = {*map(bracketed, HERE), bracketed(host)}
        if self.everywhere:
            self.names |= {socket.gethostname().lower(), socket.getfqdn().lower()}

    def include(self, given: str) -> bool:
        """Return whether a Host header names this server."""
        match = HOST.fullmatch(given)
        if match is None:
            return False
        name = match[1].lower()
        return name in self.names or (self.everywhere and _is_address(name))


def is_same_origin(headers: Mapping[str, str], host: str) -> bool:
    """Return whether a request comes from the server's own page, or is the page itself, opened from anywhere."""
    origin = headers.get("origin")
    if origin is not None and origin.lower().partition("://")[2] != host.lower():
        return False
    site = headers.get("sec-fetch-site", "none")
    return site in ("same-origin", "none") or (headers.get("sec-fetch-mode") == "navigate" and origin is None)


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True
