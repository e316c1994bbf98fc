"""Neighbourhoods as users spell them."""

from __future__ import annotations

from collections.abc import Iterable

from warptour.model.errors import UsageError


def spelled(names: str | Iterable[str], known: Iterable[str]) -> list[str]:
    """Return the names in ``known`` that a user means by ``2opt`` or ``2-opt``, in the user's order.

    ``names``: one name, several with commas between them, or a sequence of them
    ``known``: what there is
    """
    plain = {name.replace("-", ""): name for name in known}
    given = names.split(",") if isinstance(names, str) else list(names)
    keys = [name.strip().lower().replace("-", "").replace("_", "") for name in given]
    for name, key in zip(given, keys, strict=True):
        if key not in plain:
            raise UsageError(f"unknown neighbourhood {name.strip()!r}; there are {', '.join(plain.values())}")
    if not keys or len(set(keys)) < len(keys):
        raise UsageError("neighborhoods is a list of at least one neighbourhood, each of them once")
    return [plain[key] for key in keys]
