"""Alternating paths are as long as pays, and longer ones are sampled from time to time."""

from __future__ import annotations

from warptour.tours.strategy.exchange_selection import LEVELS, MIN_EFFORT, SAMPLE, Credit, ExchangeSelection

SHORT, MIDDLE = LEVELS[:2]


def after(*rounds: tuple[float, dict[int, float]], evaluations: float = 1000.0) -> ExchangeSelection:
    """The selection after rounds with these gains per evaluation of kicks and of some levels, in ten windows."""
    selection = ExchangeSelection()
    for kicks, paths in rounds:
        levels = {level: Credit(rate * evaluations, evaluations, 10) for level, rate in paths.items()}
        selection.reward(Credit(kicks * evaluations, evaluations, 10), levels)
    return selection


def test_the_first_round_exchanges_short_paths_everywhere() -> None:
    assert ExchangeSelection().plan(10) == {SHORT: 1}


def test_after_a_round_of_exchanges_alone_kicks_have_their_turn() -> None:
    selection = ExchangeSelection()
    selection.reward(Credit(), {SHORT: Credit(10.0, 1000.0, 10)})
    assert selection.plan(10) == {}
    selection.reward(Credit(1.0, 1000.0, 10), {})
    assert selection.plan(10)[SHORT] == 1


def test_a_level_that_wins_more_than_kicks_is_kept() -> None:
    assert after((1.0, {SHORT: 2.0})).plan(10) == {SHORT: 1}


def test_the_next_level_is_tried_everywhere_if_the_one_below_wins_by_far() -> None:
    assert after((1.0, {SHORT: 10.0})).plan(10) == {SHORT: 1, MIDDLE: 1}


def test_a_level_is_not_given_up_for_one_round_without_luck_if_the_one_below_wins_by_far() -> None:
    assert after((1.0, {SHORT: 20.0, MIDDLE: 0.0})).plan(10)[MIDDLE] == 1
    assert MIDDLE not in after((1.0, {SHORT: 2.0, MIDDLE: 0.0})).plan(10)


def test_a_level_that_does_not_pay_is_left_out_and_tried_in_a_few_windows_once_in_a_while() -> None:
    rounds = [(1.0, {SHORT: 0.1})]
    plans = []
    for _ in range(30):
        plan = after(*rounds).plan(10)
        plans.append(plan.get(SHORT))
        rounds.append((1.0, {}))
    assert plans[0] is None
    assert SAMPLE in plans
    assert 1 not in plans


def test_trying_takes_a_small_share_of_the_effort() -> None:
    selection = after((1.0, {SHORT: 0.1}))
    tried = 0
    for _ in range(100):
        tried += len(selection.plan(10))
        selection.reward(Credit(1000.0, 1000.0, 10), {})
    assert 0 < tried < 30


def test_rounds_grow_unless_exchanges_gain_more_than_kicks() -> None:
    assert after((1.0, {SHORT: 0.5})).effort(0.4, 1.0) == 0.8
    assert after((1.0, {SHORT: 0.5})).effort(0.8, 1.0) == 1.0
    assert after((1.0, {SHORT: 5.0})).effort(0.4, 1.0) == 0.2
    assert after((1.0, {SHORT: 5.0})).effort(MIN_EFFORT, 1.0) == MIN_EFFORT
    assert after((1.0, {SHORT: 5.0})).effort(0.05, 0.05) == 0.05
