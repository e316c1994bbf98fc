"""Every kernel text compiles for CUDA; NVRTC needs no GPU for that."""

from __future__ import annotations

import hashlib
from collections.abc import Callable

import nvrtc
import pytest

from warptour.devices.text import assemble, by_metric, names

pytestmark = pytest.mark.compiles

TARGETS = [("sm_75", 32, "euc"), ("sm_90", 128, "flat")]
"""An architecture, the lanes of a group, and the build of a text that is built per metric.

The build for any metric takes twice as long; it is compiled for OpenCL. ``sm_90`` and not ``compute_90``, which hides
that fast memory overflows.
"""


@pytest.mark.parametrize("target", TARGETS, ids=lambda target: target[0])
@pytest.mark.parametrize("name", names())
def test_the_text_compiles(
    name: str, target: tuple[str, int, str], skip_without: Callable[[str, str], None], request: pytest.FixtureRequest
) -> None:
    if nvrtc.library() is None:
        skip_without("nvrtc", "no NVRTC here: pip install nvidia-cuda-nvrtc")
    arch, lanes, special = target
    text = assemble(name, "cuda", special if by_metric(name) else None, lanes, {})
    options = "--std=c++17", "--use_fast_math" if text.relaxed else "--fmad=false", f"-arch={arch}"
    # What compiled once need not be compiled again: the largest texts take ten seconds.
    cache = getattr(request.config, "cache", None)
    key = f"warptour/nvrtc/{hashlib.sha256(repr((text.source, options)).encode()).hexdigest()}"
    if cache is not None and cache.get(key, False):
        return
    assert nvrtc.compiled(text.source, f"{name}.cu", *options)
    if cache is not None:
        cache.set(key, True)
