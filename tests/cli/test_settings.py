"""``--set`` turns text into what the field's annotation asks for."""

from dataclasses import dataclass
from typing import ClassVar, Literal

import pytest

from warptour.cli.settings import configured
from warptour.model.errors import UsageError
from warptour.strategies.registry import STRATEGIES


@dataclass(frozen=True)
class Fake:
    name: ClassVar[str] = "fake"
    depth: int = 3
    ratio: float = 0.5
    limit: int | None = None
    accept: Literal["better", "equal"] = "better"
    deep: bool = False
    start: str = "greedy"
    many: tuple[int, ...] = ()


@pytest.fixture(autouse=True)
def _register(monkeypatch):
    monkeypatch.setitem(STRATEGIES, "fake", Fake)


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        ("depth=7", 7),
        ("depth=1e3", 1000),
        ("ratio=0.25", 0.25),
        ("ratio=2", 2.0),
        ("limit=9", 9),
        ("limit=none", None),
        ("accept=equal", "equal"),
        ("deep=yes", True),
        ("deep=false", False),
        ("start=a=b", "a=b"),
        ("many=1", (1,)),
        ("many=1, 2,3", (1, 2, 3)),
    ],
)
def test_conversion(setting, value):
    strategy = configured("fake", Fake(), [setting])
    assert getattr(strategy, setting.split("=")[0]) == value


@pytest.mark.parametrize(
    "setting",
    ["depth", "depth=x", "depth=1.5", "ratio=x", "accept=worse", "deep=maybe", "color=red", "many=1,x", "name=x"],
)
def test_what_cannot_be_set_says_why(setting):
    with pytest.raises(UsageError, match="fake"):
        configured("fake", Fake(), [setting])


def test_without_a_name_the_default_strategy_is_set():
    assert configured(None, Fake(), ["depth=9"]) == Fake(depth=9)
    assert configured(None, Fake(depth=4), []) == Fake(depth=4)


def test_several_words_are_separated_by_commas() -> None:
    strategy = configured("vns", Fake(), ["neighborhoods=2opt, oropt,3opt,swap"])
    assert strategy.neighborhoods == ("2opt", "oropt", "3opt", "swap")
    with pytest.raises(UsageError, match="there are 2-opt"):
        configured("vns", Fake(), ["neighborhoods=2opt,9opt"])
