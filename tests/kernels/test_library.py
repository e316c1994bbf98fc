"""The native library loads, is the right one, and refuses wrong arguments before it runs."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

from warptour.kernels import build, library
from warptour.model.errors import MissingLibrary, UnsupportedError

SHOW_VARIANT = "from warptour.kernels import library; print(library.variant())"
TRY_VARIANT = """
from warptour.kernels import build, library
from warptour.model.errors import WarptourError
try:
    library.library()
except WarptourError as error:
    print(error)
"""


def run(code: str, root: Path, **variables: str) -> str:
    plain = {k: v for k, v in os.environ.items() if k not in {"WARPTOUR_ISA", "WARPTOUR_LIBRARY", "LD_PRELOAD"}}
    environment = {**plain, "PYTHONPATH": str(root / "src"), **variables}
    command = [sys.executable, "-c", code]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout


def supported() -> list[str]:
    supports = library.function("wt_cpu_supports", ctypes.c_int32, ctypes.c_char_p)
    return [name for name in library.VARIANTS if supports(name.encode())]


def built() -> set[str]:
    return {name for name in library.VARIANTS if library._built(name)}


@pytest.mark.sanitize_quick
def test_the_baseline_always_runs_and_nonsense_never_does() -> None:
    supports = library.function("wt_cpu_supports", ctypes.c_int32, ctypes.c_char_p)
    assert supports(b"baseline") == 1
    assert supports(b"") == 0
    assert supports(b"sse9") == 0


def test_the_best_variant_that_the_cpu_has_is_loaded(root: Path) -> None:
    assert run(SHOW_VARIANT, root).strip() == next(name for name in supported() if name in built())


@pytest.mark.parametrize("name", library.VARIANTS)
def test_a_variant_can_be_forced_only_where_the_cpu_has_it(name: str, root: Path) -> None:
    if name in supported() and name in built():
        assert run(SHOW_VARIANT, root, WARPTOUR_ISA=name).strip() == name
    elif name in supported():
        assert f"WARPTOUR_ISA={name}: not built here" in run(TRY_VARIANT, root, WARPTOUR_ISA=name)
    else:
        assert run(TRY_VARIANT, root, WARPTOUR_ISA=name).strip() == (
            f"WARPTOUR_ISA={name}: this CPU has no such instructions"
        )


@pytest.fixture
def old_cpu(monkeypatch: pytest.MonkeyPatch) -> None:
    """A CPU with nothing beyond the baseline, whatever this machine has."""
    monkeypatch.delenv("WARPTOUR_LIBRARY", raising=False)
    monkeypatch.delenv("WARPTOUR_ISA", raising=False)
    monkeypatch.setattr(library, "_supports", lambda name: name == "baseline")


@pytest.mark.usefixtures("old_cpu")
def test_an_old_cpu_gets_the_baseline(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(library, "_built", lambda _: True)
    monkeypatch.setattr(library, "_load", lambda path: path)
    assert library._chosen.__wrapped__()[1] == "baseline"


@pytest.mark.usefixtures("old_cpu")
def test_an_old_cpu_is_told_of_a_library_for_a_newer_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(library, "_built", lambda name: name == "avx512")
    with pytest.raises(MissingLibrary, match=r"built for avx512, which this CPU lacks: .*WARPTOUR_VARIANTS=all"):
        library._chosen.__wrapped__()


@pytest.mark.usefixtures("old_cpu")
@pytest.mark.parametrize("name", ["avx512", "avx2"])
def test_an_old_cpu_cannot_be_forced(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WARPTOUR_ISA", name)
    with pytest.raises(UnsupportedError, match="this CPU has no such instructions"):
        library._chosen.__wrapped__()


def test_a_variant_that_does_not_exist_is_refused(root: Path) -> None:
    assert "expected one of avx512, avx2, baseline" in run(TRY_VARIANT, root, WARPTOUR_ISA="mmx")


def test_a_missing_library_says_how_to_build_it(root: Path, tmp_path: Path) -> None:
    message = run(TRY_VARIANT, root, WARPTOUR_LIBRARY=str(tmp_path / "none.so"))
    assert "`make native`" in message
    assert "`pip install .`" in message


def test_a_library_older_than_its_sources_is_refused(tmp_path: Path) -> None:
    text, stamp = tmp_path / "two_opt.c", tmp_path / "lib" / "objects" / build.TEXTS
    stamp.parent.mkdir(parents=True)
    library._check_age(tmp_path / "lib")  # installed: nobody changes its texts

    text.write_text("int a;")
    stamp.write_text(build.digest_of_texts(tmp_path))
    os.utime(stamp, ns=(0, 0))
    library._check_age(tmp_path / "lib")  # touched alone

    text.write_text("int b;")
    with pytest.raises(MissingLibrary, match="older than its sources"):
        library._check_age(tmp_path / "lib")


def test_a_file_that_is_no_library_is_refused(root: Path, tmp_path: Path) -> None:
    (tmp_path / "text.so").write_text("no library")
    assert "does not load" in run(TRY_VARIANT, root, WARPTOUR_LIBRARY=str(tmp_path / "text.so"))


def test_a_missing_kernel_is_named() -> None:
    with pytest.raises(MissingLibrary, match="no_such_kernel"):
        library.kernel("no_such_kernel", ctypes.c_int32)


@pytest.mark.parametrize(
    "wrong",
    [
        np.zeros(4, np.float32),
        np.zeros((2, 2)),
        np.zeros(8)[::2],
        [0.0, 1.0],
        None,
    ],
    ids=["dtype", "dimensions", "strides", "list", "none"],
)
def test_a_wrong_array_is_refused(wrong: object) -> None:
    with pytest.raises(TypeError, match="expected a C-contiguous 1-d array of float64, got"):
        library.array(np.float64).from_param(wrong)


def test_output_to_a_read_only_array_is_refused() -> None:
    fixed = np.zeros(4)
    fixed.flags.writeable = False
    library.array(np.float64).from_param(fixed)
    with pytest.raises(TypeError, match="read-only"):
        library.array(np.float64, output=True).from_param(fixed)


def test_an_optional_array_may_be_none_and_any_array_may_be_empty() -> None:
    assert library.array(np.float64, optional=True).from_param(None).value is None
    library.array(np.float64, output=True).from_param(np.zeros(0))


@pytest.mark.threads
def test_threads_call_into_the_library_at_once() -> None:
    supports = library.function("wt_cpu_supports", ctypes.c_int32, ctypes.c_char_p)
    answers: list[int] = []
    threads = [threading.Thread(target=lambda: answers.append(supports(b"baseline"))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [1, 1, 1, 1]


def test_the_loader_and_the_build_agree_on_names() -> None:
    """The loader imports nothing of the build, so that ``import warptour`` stays quick."""
    assert library.library_name("avx2") == build.library_name("avx2")
