"""What strategies tell of their rounds, generations and neighbourhoods adds up to what they gain."""

from __future__ import annotations

import pytest

import warptour as wt


def heard(problem, strategy, **limits):
    """Return the events of a run by their kind."""
    events = []
    wt.solve(problem, strategy, threads=1, listeners=[events.append], **limits)
    assert isinstance(events[0], wt.Began) and isinstance(events[-1], wt.Ended)
    improved = [event for event in events if isinstance(event, wt.Improved)]
    steps = [event for event in events if isinstance(event, wt.Step)]
    rows = [event for event in events if isinstance(event, wt.Contributions)]
    return events[0], improved, steps, rows


def last(steps, of):
    return next(step for step in reversed(steps) if step.of == of)


def test_rounds_and_generations_of_windows_gain_all_that_is_gained():
    began, improved, steps, _ = heard(wt.generate("uniform", 1000, 1), "windows", iterations=6000)
    rounds, generations = last(steps, "round"), last(steps, "generation")
    assert rounds.number > 1 and generations.number > 1
    assert generations.facts["tours"] > 1 and generations.facts["shortest"] <= generations.facts["mean"]
    gained = improved[0].state.cost - improved[-1].state.cost
    assert rounds.facts["gain"] + generations.facts["gain"] == pytest.approx(gained, rel=1e-6)
    assert began.facts["strategy"] == "windows" and began.facts["iterations"] == 6000


def test_generations_of_routes_tell_their_population():
    began, _, steps, _ = heard(wt.generate("vrp", 40, 1), "routes", iterations=2000)
    step = last(steps, "generation")
    assert step.number > 1 and step.facts["feasible"] > 0 and began.facts["kind"] == "vrp"


@pytest.mark.parametrize("strategy", ["vns", "descent"])
def test_neighbourhoods_tell_what_they_contributed(strategy):
    _, _, _, rows = heard(wt.generate("uniform", 60, 1), strategy, iterations=200)
    totals = [sum(row.moves for row in event.rows) for event in rows]
    assert totals and totals == sorted(totals) and rows[-1].rows[-1].neighborhood == "3-opt"


def test_annealing_tells_its_temperature():
    _, _, steps, _ = heard(wt.generate("uniform", 60, 1), "annealing", iterations=2000)
    temperatures = [step.facts["temperature"] for step in steps]
    assert temperatures == sorted(temperatures, reverse=True) and len(temperatures) > 2


def test_descents_of_giant_tours_are_counted():
    _, _, steps, _ = heard(wt.generate("vrp", 20, 1), "dcvrp", iterations=60)
    assert [step.number for step in steps] == list(range(1, len(steps) + 1)) and steps


def test_parameters_are_told_with_their_groups():
    began, *_ = heard(wt.generate("uniform", 100, 1), wt.Windows(nearest=9), iterations=100)
    assert began.facts["parameters"]["nearest"] == 9
    assert began.facts["parameters"]["overlapping"]["window"] == wt.Windows().overlapping.window
