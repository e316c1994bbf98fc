"""A hook of MkDocs: files beside ``docs`` that its pages lead to are part of the site, under ``project/``.

Links of pages are those that hold in the repository; here they are turned to where the site has their targets.
"""

from __future__ import annotations

import posixpath
import re
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

ROOT = Path(__file__).parents[1]
OUTSIDE = {
    "CHANGELOG.md": "project/changelog.md",
    "CONTRIBUTING.md": "project/contributing.md",
    "Dockerfile": "project/Dockerfile",
    "SECURITY.md": "project/security.md",
    "benchmarks/README.md": "project/benchmarks.md",
    "src/warptour/roads/profiles/car.toml": "project/car.toml",
}
"""Files by their path in the repository, and their place in the site."""

LINK = re.compile(r"(?<=\]\()([^()\s#]+)(?=[#)])")


def on_files(files: Files, config: Any) -> Files:
    """Add the files."""
    for path, place in OUTSIDE.items():
        files.append(File.generated(config, place, content=(ROOT / path).read_text(encoding="utf-8")))
    return files


def on_page_markdown(markdown: str, page: Any, config: Any, files: Files) -> str:
    """Turn links that lead out of ``docs``, or from outside into it."""
    place = page.file.src_uri
    origin = next((path for path, goal in OUTSIDE.items() if goal == place), f"docs/{place}")

    def turned(link: re.Match[str]) -> str:
        if re.match(r"[a-z]+:", link[1]):
            return link[1]
        path = posixpath.normpath(posixpath.join(posixpath.dirname(origin), link[1]))
        goal = OUTSIDE.get(path, path.removeprefix("docs/"))
        return posixpath.relpath(goal, posixpath.dirname(place) or ".")

    return LINK.sub(turned, markdown)
