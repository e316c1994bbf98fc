"""An option that has one value is given once: the last of two is never taken in silence."""

import pytest

from warptour.cli.commands import COMMANDS, command_of
from warptour.cli.declare import table_of


def single_valued(name):
    """All spellings of the options of a command that have one value."""
    return [
        list(row.names) for row in table_of(command_of(name)) if row.names and row.kind is not bool and not row.many
    ]


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_with_one_value_is_given_once(name, call):
    for names in single_valued(name):
        for words in ([names[0], "11", names[-1], "12"], [f"{names[-1]}=11", f"{names[-1]}=12"]):
            if words[0].startswith("--") or "=" not in words[0]:
                done = call(name, *words)
                assert (done.code, done.fault) == (2, f"{'/'.join(names)} is given twice: 11 and 12"), words


def test_commands_have_such_options():
    assert all(single_valued(name) for name in ("solve", "bound", "check", "info"))
    assert ["--capacity"] in single_valued("solve") and ["--output", "-o"] in single_valued("plot")


def test_a_complete_command_is_refused_too(call):
    done = call("solve", "uniform:10:1", "--seconds", "1", "--seed", "1", "--seconds=2")
    assert (done.code, done.fault) == (2, "--seconds is given twice: 1 and 2")


def test_short_and_long_forms_are_the_same_option(call):
    done = call("plot", "a.jsonl", "-oa.svg", "--output", "b.svg")
    assert (done.code, done.fault) == (2, "--output/-o is given twice: a.svg and b.svg")


def test_flags_may_be_repeated_but_not_contradicted(call):
    assert call("solve", "uniform:10:1", "--iterations", "1", "--quiet", "-q").code == 0
    assert call("solve", "uniform:10:1", "--iterations", "1", "-qq").code == 0
    done = call("solve", "uniform:10:1", "--latlon", "--no-latlon")
    assert (done.code, done.fault) == (2, "--latlon and --no-latlon are both given")


def test_lists_stay_lists(call, tmp_path):
    words = ["--set", "kicks=3", "--set", "nearest=5", "-o", "a.tour", "--output", "b.tour"]
    assert call("solve", "uniform:10:1", "--strategy", "windows", "--iterations", "1", *words).code == 0
    assert (tmp_path / "a.tour").read_bytes() == (tmp_path / "b.tour").read_bytes()


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        (["--set", "kicks=3", "--set", "kicks=4"], "--set kicks is given twice: 3 and 4"),
        (["--set", "walk-length=3", "--set", "walk_length=4"], "--set walk_length is given twice: 3 and 4"),
        (["--columns", "lat=A,lat=B"], "--columns lat is given twice: A and B"),
        (["--columns", "lat=A", "--columns", "latitude=B"], "--columns lat is given twice: A and B"),
    ],
)
def test_the_items_of_a_list_have_different_names(words, fault, call):
    done = call("solve", "uniform:10:1", "--strategy", "windows", *words)
    assert (done.code, done.fault) == (2, fault)


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        (["--strategies", "windows,ils,windows"], "--strategies windows is given twice"),
        (["--seconds", "1", "--seconds", "1.0"], "--seconds 1.0 is given twice"),
        (["--device", "cpu", "--device", "cpu"], "--device cpu is given twice"),
    ],
)
def test_a_comparison_counts_no_run_twice(words, fault, call):
    done = call("compare", "uniform:10:1", *words)
    assert (done.code, done.fault) == (2, fault)


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        (["--trace", "a", "--checkpoint", "./a"], "--trace and --checkpoint both write ./a"),
        (["--trace", "a", "--tours", "-o", "a.tours"], "--tours and --output both write a.tours"),
        (["--plot", "a.svg", "-o", "a.svg"], "--plot and --output both write a.svg"),
    ],
)
def test_two_outputs_are_two_files(words, fault, call, tmp_path):
    done = call("solve", "uniform:10:1", *words)
    assert (done.code, done.fault) == (2, fault) and not list(tmp_path.iterdir())


def test_two_outputs_may_be_one_device(call):
    assert (
        call("solve", "uniform:10:1", "--iterations", "1", "--trace", "/dev/null", "--checkpoint", "/dev/null").code
        == 0
    )
