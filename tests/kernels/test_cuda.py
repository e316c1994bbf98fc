"""Every text compiles for CUDA with all options that engines choose; NVRTC needs no GPU for that."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Callable, Sequence

import nvrtc
import pytest
from chosen_builds import Build, places, recorded

from kept import folder
from warptour.devices.cuda import LARGEST_BLOCK
from warptour.devices.text import assemble, by_metric, names

pytestmark = pytest.mark.compiles

ARCHITECTURES = ("sm_75", "sm_90", "sm_100")
"""Turing, Hopper and Blackwell; ``sm_90`` and not ``compute_90``, which hides that fast memory overflows."""

CLUSTERS_FROM = 90
"""Compute capability of the first GPUs on which blocks form clusters."""

PARTS = 4
"""Tests that the builds are dealt out to, so that workers share them."""

SAMPLED = 12
"""`make test` compiles a set of options of every text; `make test-long` every twelfth of a text and metric, from the
first or from the last, for one architecture each and quickly; `make builds` all of them for all, as engines do."""

QUICKLY = "--Ofast-compile=max"
"""Leaves out optimisations, which take NVRTC four fifths of its time."""

Fault = Callable[[str, Sequence[str]], str | None]


@pytest.fixture
def fault(skip_without: Callable[[str, str], None]) -> Fault:
    """Return what NVRTC says against a text with some options, or None.

    A text takes it up to ten seconds. So it is remembered, from one run of the tests to the next and for all clones,
    that this NVRTC compiled this text with these options. Failures are not.
    """
    if nvrtc.library() is None:
        skip_without("nvrtc", "no NVRTC here: pip install nvidia-cuda-nvrtc")
    done = folder("nvrtc")

    def compiled(source: str, options: Sequence[str]) -> str | None:
        everything = repr((nvrtc.identity(), source, options))
        mark = done and done / hashlib.sha256(everything.encode()).hexdigest()
        if mark and mark.exists():
            return None
        try:
            assert nvrtc.compiled(source, "text.cu", *options)
        except RuntimeError as error:
            return str(error)
        if mark:
            mark.touch()
        return None

    return compiled


def test_no_place_that_builds_a_text_was_missed() -> None:
    _, callers = recorded(every=False)
    missed = [
        f"{path.name}:{lines[0]}"
        for path, lines in places()
        if not any(caller == path and line in lines for caller, line in callers)
    ]
    assert missed == []


def sampled(builds: Sequence[Build]) -> list[Build]:
    """Return some builds of every text and metric: for every other metric from the last one on."""
    groups: dict[tuple[str, str | None], list[Build]] = defaultdict(list)
    for build in builds:
        groups[build.name, build.special].append(build)
    return [build for k, group in enumerate(groups.values()) for build in group[:: -SAMPLED if k % 2 else SAMPLED]]


def compiles_for(build: Build, architecture: str) -> bool:
    return build.lanes <= LARGEST_BLOCK or int(architecture.removeprefix("sm_")) >= CLUSTERS_FROM


def dealt(builds: Sequence[Build], architecture: str) -> list[Build]:
    """Return the builds that are an architecture's turn: at least one of every text."""
    texts: dict[str, list[Build]] = defaultdict(list)
    for build in builds:
        texts[build.name].append(build)
    found = []
    for text in texts.values():
        turns = [[each for each in ARCHITECTURES if compiles_for(build, each)] for build in text]
        mine = [build for k, build in enumerate(text) if turns[k][k % len(turns[k])] == architecture]
        found += mine or [build for build in text if compiles_for(build, architecture)][:1]
    return found


@pytest.mark.parametrize("part", range(PARTS))
def test_every_text_compiles_for_the_oldest_architecture(part: int, fault: Fault) -> None:
    builds, _ = recorded(every=False)
    texts: dict[str, list[Build]] = defaultdict(list)
    for build in builds:
        texts[build.name].append(build)
    assert len(texts) > 40
    for turn, text in [*enumerate(texts.values())][part::PARTS]:
        build = text[-1 if turn % 2 else 0]
        architecture = next(each for each in ARCHITECTURES if compiles_for(build, each))
        assert fault(build.source, (*build.options, f"-arch={architecture}", QUICKLY)) is None, str(build)


@pytest.mark.long
@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_what_engines_choose_compiles(
    architecture: str, part: int, fault: Fault, request: pytest.FixtureRequest
) -> None:
    builds, _ = recorded(every=True)
    options = [f"-arch={architecture}"]
    if request.config.getoption("--every-build"):
        chosen = [build for build in builds if compiles_for(build, architecture)]
    else:
        chosen = dealt(sampled(builds), architecture)
        options.append(QUICKLY)
    mine = chosen[part::PARTS]
    assert len(mine) >= 5
    faults = {str(build): fault(build.source, (*build.options, *options)) for build in mine}
    assert {build: found for build, found in faults.items() if found is not None} == {}


@pytest.mark.parametrize("part", range(PARTS))
def test_texts_that_no_engine_takes_to_a_gpu_compile_all_the_same(part: int, fault: Fault) -> None:
    builds, _ = recorded(every=False)
    options = "--std=c++17", "--fmad=false", "-arch=sm_90", QUICKLY
    for name in sorted(set(names()) - {build.name for build in builds})[part::PARTS]:
        text = assemble(name, "cuda", "flat" if by_metric(name) else None, 128, {})
        assert fault(text.source, options) is None, name


def test_faults_are_seen_and_not_forgotten(fault: Fault) -> None:
    for _ in range(2):
        assert "error" in (fault("this is no text", ["-arch=sm_90"]) or "")
        large = 'extern "C" __global__ void f(int *x) { __shared__ int many[90000]; many[*x] = 1; *x = many[x[1]]; }'
        assert "shared" in (fault(large, ["-arch=sm_90"]) or "")
        assert "shared" in (fault(large, ["-arch=sm_90", QUICKLY]) or "")
