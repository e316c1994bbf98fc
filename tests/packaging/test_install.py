"""Installations into an empty environment, with the system's C compilers out of sight."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

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


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="the wheel and the layout of the environment are Linux's")
def test_the_wheel_of_this_platform_solves_the_demo_in_an_empty_environment(
    root: Path, environment: Path, tmp_path: Path
) -> None:
    """Cross-compiled as for a release, but for the best instruction set of this CPU alone, and not to be fast."""
    platform = f"manylinux_2_17_{os.uname().machine}"
    copy = shutil.copytree(
        root, tmp_path / "source", ignore=shutil.ignore_patterns(".venv", ".git", "build", "lib", "lib-*")
    )
    script = copy / "src" / "warptour" / "kernels" / "build.py"
    text = script.read_text().replace("-std=c11 -O3", "-std=c11 -O0 -fno-sanitize=all")  # -O3 takes minutes
    script.write_text(re.sub('"-O[12]"', '"-O0"', text))
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
