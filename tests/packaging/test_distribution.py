"""What the source distribution holds, and what the extras install."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
import tarfile
import tomllib
from pathlib import Path
from types import ModuleType

import pytest

from documents import links
from warptour import _version
from warptour._version import __version__


def test_the_source_distribution_holds_what_the_readme_links_to(root: Path, tmp_path: Path) -> None:
    pytest.importorskip("hatchling", reason="the source distribution is built by hatchling, which is not installed")
    command = [sys.executable, "-m", "hatchling", "build", "--target", "sdist", "--directory", str(tmp_path)]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    (archive,) = tmp_path.glob("*.tar.gz")
    with tarfile.open(archive) as opened:
        held = {name.partition("/")[2] for name in opened.getnames()}
    targets = {target.partition("#")[0] for _, target in links((root / "README.md").read_text(encoding="utf-8"))}
    assert "docs/user/files.md" in targets
    assert sorted(targets - held - {""}) == []
    assert {"CITATION.cff", "LICENSE", "Makefile", "hatch_build.py", "pyproject.toml", "tests/conftest.py"} <= held
    assert "src/warptour/io/words.ini" in held
    assert [name for name in held if name.endswith((".so", ".o", ".pyc"))] == []


def test_every_extra_installs_something_that_the_package_imports(root: Path) -> None:
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    imported = "\n".join(path.read_text(encoding="utf-8") for path in (root / "src").rglob("*.py"))
    unused = [
        f"{extra}: {requirement}"
        for extra, requirements in project["optional-dependencies"].items()
        for requirement in requirements
        if not re.search(rf"import {re.match('[a-z0-9]+', requirement)[0]}\b", imported)
        and f'"{re.match("[a-z0-9-]+", requirement)[0].replace("-", "_")}"' not in imported  # run by its name
    ]
    assert [text for text in unused if not text.startswith("all: warptour[")] == []


def test_what_is_installed_beside_it_has_bounds(root: Path) -> None:
    """A major version that nobody has tried is not installed."""
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    asked = [*project["dependencies"], *(text for extra in project["optional-dependencies"].values() for text in extra)]
    named = [text.partition(";")[0] for text in asked if not text.startswith("warptour[")]
    assert [text for text in named if not re.fullmatch(r"[\w.\[\]-]+>=[\d.]+,<[\d.]+", text)] == []


def test_the_compiler_from_the_index_is_one_version(root: Path) -> None:
    """A build that asks for any version runs whatever is published next."""
    hook = re.findall(r'"(ziglang[^"]*)"', (root / "hatch_build.py").read_text(encoding="utf-8"))
    groups = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["dependency-groups"]
    assert re.fullmatch(r"ziglang==\d+\.\d+\.\d+", hook[0]) and hook == hook[:1]
    assert [word for group in groups.values() for word in group if "ziglang" in str(word)] == hook


def test_systems_are_named_only_where_tests_run(root: Path) -> None:
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    systems = [text for text in project["classifiers"] if text.startswith("Operating System")]
    assert systems == ["Operating System :: POSIX :: Linux"]


def test_what_to_cite_has_the_version(root: Path) -> None:
    yaml = pytest.importorskip("yaml", reason="PyYAML is not installed")
    cited = yaml.safe_load((root / "CITATION.cff").read_text(encoding="utf-8"))
    assert cited["version"] == __version__ and {"cff-version", "message", "title", "authors", "type"} <= cited.keys()
    bibtex = (root / "docs" / "references.md").read_text(encoding="utf-8").partition("@software")[2].partition("```")[0]
    assert f"version = {{{__version__}}}" in bibtex and f"title = {{{cited['title']}}}" in bibtex


def test_a_wheel_from_git_names_its_commit_unless_it_is_a_release(root: Path, tmp_path: Path) -> None:
    pytest.importorskip("hatchling", reason="hatchling is not installed")
    hook = load(root / "hatch_build.py")
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@example.com"]
    assert hook.commit_to_name(tmp_path, "1.2") is None
    for words in (["init", "-q"], ["commit", "-q", "--allow-empty", "-m", "a"]):
        subprocess.run([*git, *words], cwd=tmp_path, check=True)
    head = subprocess.run([*git, "rev-parse", "HEAD"], cwd=tmp_path, check=True, capture_output=True, text=True)
    assert head.stdout.startswith(hook.commit_to_name(tmp_path, "1.2"))
    subprocess.run([*git, "tag", "v1.2"], cwd=tmp_path, check=True)
    assert hook.commit_to_name(tmp_path, "1.2") is None and hook.commit_to_name(tmp_path, "1.3") is not None


def test_the_commit_of_a_wheel_is_in_its_version(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(_version, "BUILT_FROM", tmp_path / "_commit.txt")
    (tmp_path / "_commit.txt").write_text("0123abc\n")
    assert _version.full_version() == f"{__version__}, commit 0123abc"


def load(path: Path) -> ModuleType:
    """Return a module from its file."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
