"""Every kernel text compiles for OpenCL."""

from __future__ import annotations

import re

import pytest

from warptour.devices import Device, DeviceError
from warptour.devices.text import FOLDER, by_metric, names

pytestmark = pytest.mark.compiles

RESERVED = re.compile(r"\b(local|global|constant|private|generic|kernel|half|pipe)\b")
"""Words that OpenCL has and C has not."""

SELDOM_USED = {"symmetric_ahead", "symmetric_batch"}
"""Texts whose engines only long tests run on OpenCL; `make test` compiles the others where it uses them."""


def test_no_name_is_a_word_of_opencl() -> None:
    """Said without a driver, too."""
    texts = [*FOLDER.rglob("*.[ch]")]
    assert len(texts) > 100
    for path in texts:
        if not path.name.startswith("prelude"):
            code = re.sub(r'/\*.*?\*/|//[^\n]*|#include "[^\n]*', "", path.read_text(), flags=re.DOTALL)
            assert RESERVED.findall(code) == [], path.name


@pytest.mark.parametrize(
    "name", [name if name in SELDOM_USED else pytest.param(name, marks=pytest.mark.long) for name in names()]
)
def test_the_text_compiles(opencl: Device, name: str) -> None:
    opencl.build(name, "any" if by_metric(name) else None)


def test_a_text_that_does_not_compile_is_one_sentence(opencl: Device) -> None:
    with pytest.raises(DeviceError, match=r"opencl:\d+: kernel lanes does not compile: .*error"):
        opencl.build("lanes", REAL="nonsense")
