"""Installations into an empty environment, with the system's C compilers out of sight."""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tomllib
import venv
import zipfile
from pathlib import Path
from types import ModuleType

import pytest

SHOW = "from warptour.kernels import library; print(library.variant(), library.__file__)"


def pip(python: Path | str, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    plain = {name: value for name, value in os.environ.items() if name not in {"CC", "PYTHONPATH"}}
    command = [str(python), "-m", "pip", *arguments]
    return subprocess.run(command, env={**plain, **variables}, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The ``bin`` of a fresh virtual environment, or a skip where no package index answers."""
    if pip(sys.executable, "index", "versions", "ziglang", "--retries", "0", "--timeout", "15").returncode:
        pytest.skip("no package index can be reached, so no build requirement can be installed")
    folder = tmp_path_factory.mktemp("fresh") / "venv"
    venv.create(folder, with_pip=True, symlinks=True)
    return folder / "bin"


def quick_copy(root: Path, place: Path) -> Path:
    """Return a copy of the tree that compiles at -O0; -O3 takes minutes."""
    made = shutil.ignore_patterns(".venv", ".git", "build", "dist", "site", "lib", "lib-*")
    copy = shutil.copytree(root, place, ignore=made)
    script = copy / "src" / "warptour" / "kernels" / "build.py"
    text = script.read_text().replace("-std=c11 -O3", "-std=c11 -O0 -fno-sanitize=all")
    script.write_text(re.sub('"-O[12]"', '"-O0"', text))
    return copy


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="the wheel and the layout of the environment are Linux's")
def test_the_wheel_of_this_platform_solves_the_demo_in_an_empty_environment(
    root: Path, environment: Path, tmp_path: Path
) -> None:
    """Cross-compiled as for a release, but for the best instruction set of this CPU alone, and not to be fast."""
    platform = f"manylinux_2_17_{os.uname().machine}"
    copy = quick_copy(root, tmp_path / "source")
    variables = {"PATH": str(environment), "WARPTOUR_WHEEL": platform, "WARPTOUR_VARIANTS": "best"}
    python = environment / "python"
    done = pip(python, "wheel", "--no-deps", "--quiet", "--wheel-dir", str(tmp_path), str(copy), **variables)
    assert done.returncode == 0, done.stdout + done.stderr
    (wheel,) = tmp_path.glob(f"warptour-*-py3-none-{platform}.whl")
    done = pip(python, "install", "--no-deps", "--no-index", "--quiet", str(wheel))
    assert done.returncode == 0, done.stdout + done.stderr

    # What warptour depends on comes from the environment of the tests, warptour from the fresh one.
    (packages,) = environment.parent.glob("lib/python*/site-packages")
    (packages / "dependencies.pth").write_text(f"{sysconfig.get_path('purelib')}\n")
    plain = {name: value for name, value in os.environ.items() if not name.startswith(("WARPTOUR_", "PYTHONPATH"))}

    def run(*command: str) -> str:
        words = [str(python), *command]
        return subprocess.run(words, cwd=tmp_path, env=plain, capture_output=True, text=True, check=True).stdout

    variant, file = run("-c", SHOW).split(maxsplit=1)
    assert variant in {"baseline", "avx2", "avx512"}
    assert Path(file).is_relative_to(environment.parent)
    examples = {path.name for path in (Path(file).parent.parent / "data").iterdir()}
    assert examples >= {"stops.csv", "customers.csv", "demo1000.tsp"}
    assert "1,000 cities" in run("-m", "warptour", "demo")


def build_wheel(root: Path, folder: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """Build the wheel as pip does, but with the hatchling that is installed."""
    pytest.importorskip("hatchling", reason="the wheel is built by hatchling, which is not installed")
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)]
    environment = {**os.environ, **variables}
    return subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.long
def test_two_builds_in_two_folders_are_the_same_bytes_and_say_what_they_hold(root: Path, tmp_path: Path) -> None:
    wheels = []
    for name in ("one", "another/folder"):
        copy = quick_copy(root, tmp_path / name)
        done = build_wheel(copy, tmp_path / name / "dist", WARPTOUR_VARIANTS="best")
        assert done.returncode == 0, done.stdout + done.stderr
        wheels += (tmp_path / name / "dist").glob("*.whl")
    first, second = wheels
    assert first.name == second.name
    with zipfile.ZipFile(first) as one, zipfile.ZipFile(second) as other:
        assert [name for name in one.namelist() if one.read(name) != other.read(name)] == []
        check_bill(one, root)
    assert first.read_bytes() == second.read_bytes()


def check_bill(wheel: zipfile.ZipFile, root: Path) -> None:
    """Check the bill of materials against the wheel and against what the project asks for."""
    (place,) = [name for name in wheel.namelist() if name.endswith(".dist-info/sboms/warptour.cdx.json")]
    bill = json.loads(wheel.read(place))
    assert (bill["bomFormat"], bill["specVersion"]) == ("CycloneDX", "1.6")
    assert str(root) not in json.dumps(bill)
    files = {each["name"]: each["hashes"][0]["content"] for each in bill["components"] if each["type"] == "file"}
    held = {name: wheel.read(name) for name in wheel.namelist() if "/kernels/lib/" in name}
    assert files == {Path(name).name: hashlib.sha256(data).hexdigest() for name, data in held.items()}
    project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]
    required = {
        each["properties"][0]["value"].replace(" ", "").replace("'", '"')
        for each in bill["components"]
        if each.get("scope") == "required"
    }
    assert {re.split(r"[<>=;]", text)[0] for text in required} == {"numpy", "rich"}
    assert len(required) == len(project["dependencies"])
    references = [each["bom-ref"] for each in bill["components"]]
    assert len(references) == len(set(references)) and set(bill["dependencies"][0]["dependsOn"]) <= set(references)


def test_a_compiler_from_the_index_runs_only_if_its_files_are_those_that_were_published(
    hook: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "ziglang"
    (package / "lib").mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "lib" / "libc.h").write_text("int x;\n")
    published = hook.digest_of_files(package)
    monkeypatch.setattr(hook, "ZIG_FILES", dict.fromkeys(hook.ZIG_FILES, published))
    monkeypatch.setattr(hook.sys, "platform", "linux")
    monkeypatch.setattr(hook.platform, "machine", lambda: "x86_64")
    compiler = (str(package / "zig"), "cc")
    hook.check_compiler(compiler)
    hook.check_compiler(("/usr/bin/cc",))
    (package / "lib" / "libc.h").write_text("int y;\n")
    with pytest.raises(SystemExit, match=r"are not those of ziglang==\d+\.\d+\.\d+: install it again, or set CC"):
        hook.check_compiler(compiler)
    monkeypatch.setattr(hook.platform, "machine", lambda: "sparc")
    with pytest.raises(SystemExit, match="is not known for linux-sparc"):
        hook.check_compiler(compiler)


@pytest.fixture
def hook(root: Path) -> ModuleType:
    """The module ``hatch_build.py``."""
    pytest.importorskip("hatchling")
    spec = importlib.util.spec_from_file_location("hatch_build_tested", root / "hatch_build.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("variable", "message"),
    [
        ({"CC": "no-such-compiler"}, "the native library was not built: the C compiler does not work: cannot run"),
        ({"WARPTOUR_WHEEL": "amiga"}, "WARPTOUR_WHEEL=amiga: expected one of manylinux_2_17_x86_64, "),
    ],
)
def test_a_wheel_that_cannot_be_built_is_refused_with_one_message(
    root: Path, tmp_path: Path, variable: dict[str, str], message: str
) -> None:
    done = build_wheel(root, tmp_path, **variable)
    assert done.returncode != 0
    assert f"warptour: {message}" in done.stderr
    assert "Traceback" not in done.stderr
