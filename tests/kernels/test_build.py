"""The build script: markers, staleness, and errors that a person can act on."""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from warptour.kernels import build

pytestmark = pytest.mark.compiles

KERNEL = "KERNEL(mark, GLOBAL int32 *out) { out[0] = 7; out[1] = GROUP; out[2] = GROUPS; }\n"
NORMS = """
#ifdef NORM
KERNEL(mark, GLOBAL int32 *out) { out[0] = 1; }
#else
KERNEL(mark, GLOBAL int32 *out) { out[0] = 0; }
#endif
"""


@pytest.fixture(autouse=True, scope="module")
def a_compiler() -> None:
    try:
        build.find_compiler()
    except build.BuildError as error:
        pytest.skip(str(error))


def written(path: Path, text: str) -> Path:
    path.write_text(text)
    return path


def built(sources: Path, text: str, **options: bool) -> ctypes.CDLL:
    (sources / "mark.c").write_text(text)
    (library,) = build.build(sources / "lib", sources=sources, variants=[build.BASELINE], **options)
    # A path that is loaded already would not be loaded again.
    copy = shutil.copy(library, tempfile.mkdtemp(dir=sources))
    return ctypes.CDLL(str(copy))


def call(library: ctypes.CDLL, name: str, group: int = 0, groups: int = 1) -> list[int]:
    out = (ctypes.c_int32 * 3)()
    library[name](group, groups, out)
    return list(out)


def test_a_kernel_gets_its_group_and_writes_its_output(tmp_path: Path) -> None:
    assert call(built(tmp_path, KERNEL), "mark", 2, 5) == [7, 2, 5]


def test_the_metrics_marker_gives_one_symbol_a_special_case(tmp_path: Path) -> None:
    library = built(tmp_path, "// build: metrics" + NORMS)
    assert [call(library, f"mark_{special}")[0] for special in build.SPECIALS] == [1, 1, 1, 0]
    assert not hasattr(library, "mark")


def test_the_general_marker_adds_a_symbol(tmp_path: Path) -> None:
    library = built(tmp_path, "// build: general\n" + KERNEL)
    assert hasattr(library, "mark") and hasattr(library, "mark_general")


def test_relaxed_float_is_asked_for_file_by_file(tmp_path: Path) -> None:
    assert build.compilations(written(tmp_path / "exact.c", KERNEL)) == [()]
    relaxed = written(tmp_path / "relaxed.c", "// build: relaxed-float\n" + KERNEL)
    assert build.compilations(relaxed) == [tuple(build.RELAXED)]


@pytest.mark.parametrize(("marker", "level"), build.LEVELS.items())
def test_a_level_is_asked_for_file_by_file(marker: str, level: tuple[str, ...], tmp_path: Path) -> None:
    source = written(tmp_path / "a.c", f"// build: {marker}\n" + KERNEL)
    assert build.compilations(source) == [level]


X86 = build.BuildTarget("linux", "x86_64")
FLAGS = {"old": "fpu sse2", "middle": "avx2 fma", "new": "avx2 fma avx512f avx512dq avx512bw avx512vl"}


@pytest.mark.parametrize(
    ("cpu", "built"), [("old", ["baseline"]), ("middle", ["cpu", "avx2"]), ("new", ["cpu", "avx512"])]
)
def test_the_best_variant_of_the_cpu_is_built(
    cpu: str, built: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("WARPTOUR_VARIANTS", raising=False)
    monkeypatch.setattr(build, "CPU_FLAGS", written(tmp_path / "cpuinfo", f"flags\t: {FLAGS[cpu]}\n"))
    assert [variant.name for variant in build.default_variants(X86)] == built


def test_all_variants_are_built_for_another_platform_on_request_and_where_the_cpu_is_unknown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    everything = ["cpu", "baseline", "avx2", "avx512"]
    monkeypatch.delenv("WARPTOUR_VARIANTS", raising=False)
    windows = build.BuildTarget("win32", "amd64", "x86_64-windows-gnu")
    assert [variant.name for variant in build.default_variants(windows)] == everything
    monkeypatch.setattr(build, "CPU_FLAGS", tmp_path / "none")
    assert [variant.name for variant in build.default_variants(X86)] == everything
    monkeypatch.setenv("WARPTOUR_VARIANTS", "all")
    assert [variant.name for variant in build.default_variants(X86)] == everything
    monkeypatch.setenv("WARPTOUR_VARIANTS", "some")
    with pytest.raises(build.BuildError, match="expected best or all"):
        build.default_variants(X86)


def test_markers_combine(tmp_path: Path) -> None:
    source = written(tmp_path / "a.c", "/* build: relaxed-float, metrics */\n")
    assert build.compilations(source) == [(*build.RELAXED, *special) for special in build.SPECIALS.values()]


def test_an_unknown_marker_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(build.BuildError, match=r"mark\.c:1: unknown build marker fast"):
        built(tmp_path, "// build: fast\n" + KERNEL)


def test_only_what_changed_is_compiled(tmp_path: Path) -> None:
    def times() -> dict[str, int]:
        files = (path for path in (tmp_path / "lib").rglob("*") if path.is_file() and path.name != build.TEXTS)
        return {path.name: path.stat().st_mtime_ns for path in files}

    written(tmp_path / "other.c", "KERNEL(other, GLOBAL int32 *out) { out[0] = 1; }\n")
    built(tmp_path, KERNEL)
    before = times()
    built(tmp_path, KERNEL)
    assert times() == before
    assert call(built(tmp_path, KERNEL.replace("7", "8")), "mark")[0] == 8
    after = times()
    assert [name for name in before if name.startswith("other") and before[name] == after[name]]


def test_a_changed_header_is_noticed(tmp_path: Path) -> None:
    text = '#include "answer.h"\n' + KERNEL.replace("7", "ANSWER")
    written(tmp_path / "answer.h", "#define ANSWER 7\n")
    assert call(built(tmp_path, text), "mark")[0] == 7
    written(tmp_path / "answer.h", "#define ANSWER 42\n")
    assert call(built(tmp_path, text), "mark")[0] == 42


def test_a_header_recompiles_what_includes_it_and_a_copied_tree_nothing(tmp_path: Path) -> None:
    def objects(tree: Path) -> set[str]:
        return {path.name for path in (tree / "lib" / "objects").glob("*.o")}

    first, copy = tmp_path / "first", tmp_path / "copy"
    first.mkdir()
    written(first / "answer.h", '#include "number.h"\n')
    written(first / "number.h", "#define ANSWER 7\n")
    written(first / "other.c", "KERNEL(other, GLOBAL int32 *out) { out[0] = 1; }\n")
    text = '#include "answer.h"\n' + KERNEL.replace("7", "ANSWER")
    built(first, text)
    shutil.copytree(first, copy)
    assert call(built(copy, text), "mark")[0] == 7
    assert objects(copy) == objects(first)
    written(copy / "number.h", "#define ANSWER 42\n")
    assert call(built(copy, text), "mark")[0] == 42
    assert {name.partition("-")[0] for name in objects(copy) - objects(first)} == {"mark"}


def test_a_warning_fails_only_under_werror(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    text = KERNEL.replace("out[0]", "int32 unused; out[0]")
    built(tmp_path, text)
    assert "unused" in capfd.readouterr().err
    for _ in range(2):  # the second finds what the first compiled
        with pytest.raises(build.BuildError, match="unused"):
            built(tmp_path, text, werror=True)
    built(tmp_path, KERNEL, werror=True)


def test_trees_can_share_a_folder_of_objects(tmp_path: Path) -> None:
    for tree in (tmp_path / "one", tmp_path / "two"):
        tree.mkdir()
        options = {"objects_dir": tmp_path / "objects", "sources": tree, "variants": [build.BASELINE]}
        (library,) = build.build(written(tree / "mark.c", KERNEL).parent / "lib", **options)
        assert library.is_relative_to(tree) and call(ctypes.CDLL(str(library)), "mark", 2, 5) == [7, 2, 5]
    assert len([*(tmp_path / "objects").glob("*.o")]) == 1


def test_the_package_compiles_without_warnings(tmp_path: Path) -> None:
    """What the installation compiled is taken from there."""
    compiled = build.HERE / "lib" / "objects"
    if compiled.exists():
        shutil.copytree(compiled, tmp_path / "lib" / "objects")
    build.build(tmp_path / "lib", werror=True)


def test_the_script_says_in_one_message_why_nothing_was_built(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, build.__file__, "--output", str(tmp_path / "lib")],
        env={**os.environ, "CC": "no-such-compiler"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr == (
        "the native library was not built: the C compiler does not work:"
        " cannot run no-such-compiler: No such file or directory\n"
    )
    assert "Traceback" not in done.stderr
