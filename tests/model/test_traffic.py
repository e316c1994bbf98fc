"""Travel times by the hour: who leaves later never arrives earlier, whatever the speeds."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from warptour.model.errors import UsageError
from warptour.model.itinerary import itinerary
from warptour.model.problem import TSP
from warptour.model.traffic import DAY, HOUR, Traffic
from warptour.model.vehicles import VRP

SEEDS = st.integers(0, 2**32 - 1)
ROUNDING = 1e-9 * 86_400


def random_traffic(seed: int, n: int = 4, kinds: int = 3) -> Traffic:
    rng = np.random.default_rng(seed)
    shares = rng.integers(0, 5000, (n, n, kinds)) * (rng.random((n, n, kinds)) < 0.7)
    factors = rng.uniform(0.05, 2, (kinds, DAY)) * (rng.random((kinds, DAY)) < 0.6)
    return Traffic(np.rint(shares.sum(axis=2)), shares, np.where(factors == 0, 1.0, factors))


@settings(max_examples=200, deadline=None)
@given(SEEDS, st.floats(0, 2 * 86_400), st.floats(0, 7200))
def test_who_leaves_later_never_arrives_earlier(seed: int, leaves: float, later: float) -> None:
    traffic = random_traffic(seed)
    for a, b in ((0, 1), (2, 3), (3, 0)):
        first, second = traffic.arrival(a, b, leaves), traffic.arrival(a, b, leaves + later)
        assert leaves <= first <= second + ROUNDING


@settings(max_examples=200, deadline=None)
@given(SEEDS, st.floats(0, 2 * 86_400))
def test_a_departure_leads_to_its_arrival(seed: int, time: float) -> None:
    traffic = random_traffic(seed)
    for a, b in ((0, 1), (2, 3)):
        assert traffic.arrival(a, b, traffic.departure(a, b, time)) == pytest.approx(time, abs=1e-6)
        assert traffic.departure(a, b, traffic.arrival(a, b, time)) == pytest.approx(time, abs=1e-6)


@settings(max_examples=50, deadline=None)
@given(SEEDS, st.floats(0, 86_400))
def test_arrivals_are_those_of_small_steps(seed: int, leaves: float) -> None:
    """Each second, a vehicle gets on by its rate in that hour."""
    traffic = random_traffic(seed)
    rates = traffic.rates(0, 1)
    way = traffic.shares[0, 1]
    if way.sum() == 0:
        return
    for hour in (0, 7, 23):
        assert way.sum() / rates[hour] == pytest.approx((way / traffic.factors[:, hour]).sum())
    done, time, step = 0.0, leaves, 10.0
    while done < traffic.durations[0, 1]:
        done += step * rates[int(time // HOUR) % DAY]
        time += step
    assert traffic.arrival(0, 1, leaves) == pytest.approx(time, abs=40 * step)


@settings(max_examples=100, deadline=None)
@given(SEEDS, st.floats(0, 86_400), st.floats(0, 3 * 3600))
def test_no_leg_takes_longer_than_its_slowest(seed: int, opens: float, lasts: float) -> None:
    traffic, closes = random_traffic(seed), opens + lasts
    always, then = traffic.slowest_from(0.0, np.inf), traffic.slowest_from(opens, closes)
    assert (then <= always + ROUNDING).all()
    for leaves in np.linspace(opens, closes, 9).tolist():
        for a in range(4):
            for b in range(4):
                took = traffic.arrival(a, b, leaves) - leaves
                assert took <= always[a, b] + ROUNDING
                if leaves + took <= closes:
                    assert took <= then[a, b] + ROUNDING


def test_free_speeds_change_nothing() -> None:
    traffic = random_traffic(1)
    free = Traffic(traffic.durations, traffic.shares, np.ones((3, DAY)))
    assert free.arrival(0, 1, 30_000.0) == 30_000.0 + traffic.durations[0, 1]
    assert (free.slowest_from(0, np.inf) == traffic.durations).all()


def problem(seed: int, **options) -> VRP:
    rng = np.random.default_rng(seed)
    n = 7
    base = random_traffic(seed, n)
    distances = rng.integers(1, 90, (n, n))
    shift = options.pop("shift", "06:00-23:00" if seed % 2 else None)
    whole = VRP.from_matrix(
        distances, demands=[0] + [1] * (n - 1), capacity=9, durations=base.durations, service_minutes=3.0,
        depart="07:00", shift=shift, **options,
    )  # fmt: skip
    from dataclasses import replace

    assert whole.clock is not None
    return replace(whole, clock=replace(whole.clock, traffic=base))


@settings(max_examples=60, deadline=None)
@given(SEEDS)
def test_the_times_of_a_plan_are_driven_in_traffic(seed: int) -> None:
    vrp = problem(seed, windows=[None, "08:00-22:00", None, "09:00-09:10, 12:00-20:00", None, None, None])
    (trip,) = itinerary(vrp, [np.array([1, 2, 3, 4, 5, 6])])
    times, clock = trip.times, vrp.clock
    assert times is not None and clock is not None and clock.traffic is not None and vrp.windows is not None
    for at, (a, b) in enumerate(zip(trip.nodes[:-1].tolist(), trip.nodes[1:].tolist(), strict=True)):
        arrival = clock.traffic.arrival(a, b, times.departures[at])
        assert times.arrivals[at + 1] == pytest.approx(arrival, abs=1e-6)
        start = max(arrival, vrp.windows.next_start(b, arrival))
        assert times.arrivals[at + 1] + times.waits[at + 1] == pytest.approx(start, abs=1e-6)
    assert times.arrivals[0] >= 7 * HOUR
    assert (times.slack >= 0).all()


@settings(max_examples=60, deadline=None)
@given(SEEDS)
def test_a_vehicle_leaves_late_and_is_back_as_early_as_can_be(seed: int) -> None:
    vrp = problem(seed)
    schedule, clock = vrp.schedule, vrp.clock
    assert schedule is not None and clock is not None and clock.traffic is not None
    route = np.array([3, 1, 6])
    (day,) = vrp.days([route])
    time = 7 * HOUR
    for a, b in ((0, 3), (3, 1), (1, 6), (6, 0)):
        time = clock.traffic.arrival(a, b, time) + (180.0 if b else 0.0)
    assert day.starts[-1] == pytest.approx(time, abs=1e-6)
    assert day.starts[0] == pytest.approx(7 * HOUR, abs=1e-5)  # without waits, leaving later is being back later


@settings(max_examples=60, deadline=None)
@given(SEEDS)
def test_what_keeps_the_slowest_times_keeps_the_real_ones(seed: int) -> None:
    """Searches plan with the slowest time of each leg: their plans are kept in traffic."""
    from dataclasses import replace

    vrp = problem(seed, windows=[None, "08:00-14:00", None, "09:00-18:00", None, "10:00-11:00", None])
    schedule = vrp.schedule
    assert schedule is not None and schedule.traffic is not None
    slow = replace(schedule, traffic=None)
    for order in ([1, 2, 3], [5, 3, 4, 6], [2, 5, 1]):
        giant = np.array([0, *order, 0])
        legs = slow.travel[giant[:-1], giant[1:]]  # type: ignore[index]
        if slow.is_kept_by(slow.day(giant, legs)):
            assert schedule.is_kept_by(vrp.days([np.array(order)])[0])


def test_a_tour_has_times_in_traffic() -> None:
    base = random_traffic(5, 4)
    tsp = TSP.from_matrix(np.ones((4, 4), int), durations=base.durations, depart="08:00")
    from dataclasses import replace

    assert tsp.clock is not None
    tsp = replace(tsp, clock=replace(tsp.clock, traffic=base))
    (trip,) = itinerary(tsp, np.arange(4))
    assert trip.times is not None
    time = 8 * HOUR
    for at, (a, b) in enumerate(((0, 1), (1, 2), (2, 3), (3, 0)), 1):
        time = base.arrival(a, b, time)
        assert trip.times.arrivals[at] == pytest.approx(time)


@pytest.mark.parametrize("option", ["hour_cost", "late_cost", "max_wait_minutes"])
def test_what_does_not_go_with_traffic_is_refused_by_name(option: str) -> None:
    word = option.replace("_minutes", "").replace("_", "-")
    with pytest.raises(UsageError, match=f"do not go with --{word} yet"):
        problem(1, **{option: 5})
