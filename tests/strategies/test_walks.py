"""The ledger walks as far as that pays, and looks from time to time whether more would."""

from __future__ import annotations

import pytest

from warptour.strategies.walks import LEVELS, SAMPLE, Account, Ledger

SHORT, MIDDLE = LEVELS[:2]


def after(*rounds: tuple[float, dict[int, float]], looks: float = 1000.0) -> Ledger:
    """The ledger after rounds in which kicks and some levels won so much for each look, all over the tour."""
    ledger = Ledger()
    for kicks, walks in rounds:
        levels = {level: Account(rate * looks, looks, 1.0) for level, rate in walks.items()}
        ledger.enter(Account(kicks * looks, looks, 1.0), levels)
    return ledger


def test_the_first_round_makes_short_walks_everywhere() -> None:
    assert Ledger().plan() == {SHORT: 1}


def test_a_level_that_wins_much_more_than_kicks_is_kept() -> None:
    assert after((1.0, {SHORT: 3.0})).plan() == {SHORT: 1}
    assert after((1.0, {SHORT: 1.1})).plan() == {}


def test_the_next_level_is_tried_in_a_few_windows_or_everywhere_if_the_one_below_wins_by_far() -> None:
    assert after((1.0, {SHORT: 7.0})).plan() == {SHORT: 1, MIDDLE: SAMPLE}
    assert after((1.0, {SHORT: 20.0})).plan() == {SHORT: 1, MIDDLE: 1}


def test_a_level_is_not_given_up_for_one_round_without_luck_if_the_one_below_wins_by_far() -> None:
    assert after((1.0, {SHORT: 50.0, MIDDLE: 0.0})).plan()[MIDDLE] == 1
    assert MIDDLE not in after((1.0, {SHORT: 3.0, MIDDLE: 0.0})).plan()


def test_what_a_level_won_is_compared_with_what_kicks_won_then() -> None:
    """Both win less and less."""
    assert after((1.0, {SHORT: 1.1}), (0.01, {}), (0.01, {})).plan() == {}


def test_walks_go_on_where_kicks_win_nothing() -> None:
    assert after((0.0, {SHORT: 0.1})).plan()[SHORT] == 1
    assert SHORT not in after((0.0, {SHORT: 0.0})).plan()


def test_levels_that_do_not_pay_are_tried_in_a_few_windows_and_take_a_small_share_of_the_effort() -> None:
    ledger = after((1.0, {SHORT: 0.1}))
    tried = 0.0
    for _ in range(200):
        plan = ledger.plan()
        assert set(plan.values()) <= {SAMPLE}
        levels = {level: Account(0.0, 1000.0 / SAMPLE * level / SHORT, 1 / SAMPLE) for level in plan}
        tried += sum(account.looks for account in levels.values())
        ledger.enter(Account(1000.0, 1000.0, 1.0), levels)
    assert 0 < tried < 0.25 * 200 * 1000


def test_rounds_grow_unless_walks_win_more_than_kicks() -> None:
    assert after((1.0, {SHORT: 0.5})).effort(0.4, 1.0) == 0.8
    assert after((1.0, {SHORT: 0.5})).effort(0.8, 1.0) == 1.0


def test_rounds_where_walks_win_more_become_shorter_but_kicks_keep_a_share_of_the_effort() -> None:
    won = Account(1000.0, 1000.0, 1.0)
    for looks, effort in ((10.0, 0.2), (3000.0, 0.3), (6000.0, 0.6), (90_000.0, 1.0)):
        ledger = Ledger()
        ledger.enter(won, {SHORT: Account(5000.0, looks, 1.0)})
        assert ledger.effort(0.4, 1.0) == pytest.approx(effort)
    assert after((1.0, {SHORT: 5.0})).effort(0.05, 0.05) == 0.05
