"""The site of the documentation is built without a warning, and a browser asks nobody else for it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from documents import ROOT

LOADED = re.compile(r"<(?:script|link|img|iframe)\b[^>]*\b(?:src|href)=\"((?:https?:)?//[^\"]+)\"")


def test_every_page_has_its_place() -> None:
    named = set(re.findall(r"[\w/-]+\.md", (ROOT / "mkdocs.yml").read_text(encoding="utf-8")))
    pages = {path.relative_to(ROOT / "docs").as_posix() for path in ROOT.glob("docs/**/*.md")}
    assert {name for name in named if not name.startswith("project/")} == pages


@pytest.mark.long
def test_the_site_is_built_strictly_and_loads_nothing_from_elsewhere(tmp_path: Path) -> None:
    for library in ("mkdocs", "material", "mkdocstrings"):
        pytest.importorskip(library)
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(tmp_path)]
    plain = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(command, cwd=ROOT, env=plain, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    pages = {path.relative_to(tmp_path).as_posix(): path.read_text("utf-8") for path in tmp_path.rglob("*.html")}
    assert {name: found for name, text in pages.items() if (found := LOADED.findall(text))} == {}
    assert {"index.html", "api.html", "tutorials/tour.html", "project/changelog.html"} <= pages.keys()
    assert 'id="warptour.api.solve"' in pages["api.html"]
    assert '"time windows' in (tmp_path / "search" / "search_index.json").read_text("utf-8").lower()
