"""Messages for programs: nodes count from 0 as their arrays do, and arguments have the names that Python gives them."""

import threading

import pytest

import warptour as wt
from warptour.model.audience import addressed, as_files_count, at_the_command_line, count, span


@pytest.fixture(autouse=True)
def command_line():
    """Leave the messages of this file as programs get them."""


def test_a_tour_of_an_array_counts_from_0(tmp_path):
    problem = wt.generate("uniform", 50, 1)
    assert wt.check(problem, [51, *range(49)]).violations[0] == "51 is not a city (0..49)"
    assert wt.check(problem, [0, *range(49)]).violations[0] == "1 cities are not visited, the first is 49"
    (tmp_path / "wrong.tour").write_text("TYPE : TOUR\nTOUR_SECTION\n52\n-1\nEOF\n")
    assert wt.check(problem, tmp_path / "wrong.tour").violations[0] == "52 is not a city (1..50)"


def test_a_file_counts_from_1(tmp_path):
    (tmp_path / "stops.csv").write_text("x,y\n0,0\n1,1\n5,nan\n")
    with pytest.raises(wt.InputError, match=r"stops\.csv:4"):
        wt.read(tmp_path / "stops.csv")
    with as_files_count():
        assert (count(0), span(5)) == (1, "1..5")
    assert (count(0), span(5)) == (0, "0..4")


def test_arguments_stand_in_for_options(tmp_path):
    (tmp_path / "stops.csv").write_text("x,y\n0,0\n1,1\n5,2\n")
    with pytest.raises(wt.UsageError, match=r"a limit in hours \(max_hours\) needs travel times: speed, durations or"):
        wt.read(tmp_path / "stops.csv", max_hours=3)
    assert addressed("--from, --no-latlon; a--b --x") == "first, latlon=False; a--b --x"
    with at_the_command_line():
        assert addressed("--from") == "--from" and str(wt.UsageError("give --speed")) == "give --speed"
    assert str(wt.UsageError("give --speed")) == "give speed"


def test_all_threads_of_the_command_have_its_words():
    found = []
    with at_the_command_line():
        thread = threading.Thread(target=lambda: found.append((count(0), addressed("--speed"))))
        thread.start()
        thread.join()
    assert found == [(1, "--speed")]
