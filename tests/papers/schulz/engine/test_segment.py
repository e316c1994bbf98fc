"""Joined segments give the cost and feasibility of a full recomputation."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from giant_moves import lengths, three_opt_moves, two_opt_moves
from giant_problems import KINDS, random_giant, random_instance, scaled_limits
from giant_reference import ReferenceGiant
from giant_segment import (
    NEVER,
    Segment,
    combined,
    join,
    objective,
    recombined,
    segment_of,
    single,
)
from warptour.neighborhoods.move import Ints
from warptour.papers.schulz.engine.instance import GiantInstance
from warptour.papers.schulz.engine.moves import apply
from warptour.papers.schulz.engine.resources import Resource

ROUNDING = 1e-9
"""Relative difference of sums of reals in another order, with a wide margin."""

instances = st.builds(
    random_instance,
    st.integers(0, 9999),
    customers=st.integers(0, 8),
    routes=st.integers(1, 5),
    kind=st.sampled_from(KINDS),
    windows=st.booleans(),
)
seeds = st.integers(0, 9999)


def assert_equal_to_recomputation(instance: GiantInstance, whole: Segment, giant: Ints) -> None:
    reference = ReferenceGiant(instance)
    assert whole.routes == reference.routes(giant)
    if instance.problem.metric.integral:
        assert whole.length == reference.length(giant)
        assert objective(instance, whole) == reference.objective(giant)
        assert whole.feasible == reference.feasible(giant)
    else:
        assert whole.length == pytest.approx(reference.length(giant), rel=ROUNDING)
        assert objective(instance, whole) == pytest.approx(reference.objective(giant), rel=ROUNDING)
        tight, loose = (ReferenceGiant(scaled_limits(instance, 1 + error)) for error in (-ROUNDING, ROUNDING))
        assert tight.feasible(giant) <= whole.feasible <= loose.feasible(giant)


def in_any_order(instance: GiantInstance, nodes: Ints, rng: np.random.Generator) -> Segment:
    """Join the nodes, adjacent segments in random order."""
    segments = [single(instance, int(place)) for place in instance.places(nodes)]
    while len(segments) > 1:
        at = int(rng.integers(len(segments) - 1))
        segments[at : at + 2] = [join(instance, segments[at], segments[at + 1])]
    return segments[0]


def extended(instance: GiantInstance, resource: Resource, nodes: Ints, value: float) -> tuple[float, bool]:
    """Return the value at the last node by definition, from ``value`` at the first, and whether all is feasible."""
    places = instance.places(nodes)
    feasible = value <= resource.high[places[0]]
    value = float(resource.low[0]) if places[0] == 0 else max(value, float(resource.low[places[0]]))
    for tail, head, apart in zip(places[:-1], places[1:], lengths(instance, places[:-1], places[1:]), strict=True):
        consumed = resource.travel * float(apart) + resource.leave[tail] + resource.enter[head]
        value = max(float(resource.low[head]), value + float(consumed))
        feasible &= value <= resource.high[head]
        if head == 0:
            value = float(resource.low[0])
    return value, bool(feasible)


@settings(max_examples=200)
@given(instances, seeds)
def test_joined_in_any_order(instance: GiantInstance, seed: int) -> None:
    giant = random_giant(seed, instance)
    rng = np.random.default_rng(seed)
    assert_equal_to_recomputation(instance, in_any_order(instance, giant, rng), giant)
    assert_equal_to_recomputation(instance, in_any_order(instance, giant, rng).reverse, giant[::-1])


@settings(max_examples=60)
@given(instances, seeds)
def test_every_2opt_move(instance: GiantInstance, seed: int) -> None:
    giant = random_giant(seed, instance)
    for move in map(tuple, two_opt_moves(len(giant) - 1).tolist()):
        assert_equal_to_recomputation(instance, recombined(instance, giant, move), apply(giant, move))


@settings(max_examples=60)
@given(instances, seeds)
def test_3opt_moves(instance: GiantInstance, seed: int) -> None:
    giant = random_giant(seed, instance)
    moves = three_opt_moves(len(giant) - 1)
    for move in map(tuple, np.random.default_rng(seed).permutation(moves)[:60].tolist()):
        assert_equal_to_recomputation(instance, recombined(instance, giant, move), apply(giant, move))


@settings(max_examples=100)
@given(instances, seeds, st.floats(0, 1200).map(round))
def test_functions_and_limits_of_segments_in_both_directions(instance: GiantInstance, seed: int, value: float) -> None:
    """From any value at its start, a segment gives the value at its end, and ``most`` divides feasible from not."""
    rng = np.random.default_rng(seed)
    giant = random_giant(seed, instance)
    begin, end = sorted(rng.choice(len(giant) + 1, 2, replace=False))
    nodes = giant[begin:end]
    segment = in_any_order(instance, nodes, rng)
    for along, extensions in ((nodes, segment.forward), (nodes[::-1], segment.backward)):
        for resource, extension in zip(instance.resources, extensions, strict=True):
            last, feasible = extended(instance, resource, along, value)
            if abs(value - extension.most) > ROUNDING * 1000:
                assert feasible == (value <= extension.most)
            if feasible:
                assert max(extension.least, value + extension.sum) == pytest.approx(last, rel=1e-9, abs=1e-6)


@given(instances, seeds)
def test_a_segment_with_an_infeasible_part_stays_infeasible(instance: GiantInstance, seed: int) -> None:
    rng = np.random.default_rng(seed)
    giant = random_giant(seed, instance)
    begin, end = sorted(rng.choice(len(giant) + 1, 2, replace=False))
    part = segment_of(instance, giant[begin:end])
    around = [*([segment_of(instance, giant[:begin])] if begin else []), part]
    around += [segment_of(instance, giant[end:])] if end < len(giant) else []
    whole = combined(instance, around)
    for one, all_ in zip(part.forward, whole.forward, strict=True):
        assert one.most > NEVER or all_.most == NEVER
    assert part.feasible or not whole.feasible


def small(routes: int = 4, **options: object) -> GiantInstance:
    return random_instance(5, 4, routes, capacity=100, max_distance=None, vehicles=None, **options)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("first", "second", "routes"),
    [
        ([1], [2], 0),  # no depot
        ([1, 5], [2], 0),  # a depot in one part
        ([5], [6], 0),  # an empty route
        ([5, 1], [6], 1),  # the second part begins at a depot
        ([5], [1, 6], 1),  # the first part ends at one
        ([5, 1], [2, 6], 1),
        ([1, 5], [6, 2], 0),  # both meet at depots
        ([5, 1, 6], [7, 2, 8], 2),  # complete routes on either side, an empty one between them
        ([5, 1, 6, 2], [3, 7, 4, 8], 3),
    ],
)
def test_complete_routes_of_two_parts(first: list[int], second: list[int], routes: int) -> None:
    instance = small()
    parts = [segment_of(instance, np.array(nodes, np.int32)) for nodes in (first, second)]
    whole = join(instance, *parts)
    assert whole.routes == routes
    assert (whole.first, whole.last) == tuple(instance.places(np.array([first[0], second[-1]])))


def test_a_segment_may_be_feasible_in_one_direction_only() -> None:
    instance = small()
    n = instance.problem.n
    opens, closes = np.zeros(n), np.full(n, 1e6)
    closes[1], opens[2] = 500.0, 600.0  # 1 closes before 2 opens
    time = Resource("time", 1.0, np.zeros(n), np.zeros(n), opens, closes)
    instance = GiantInstance.of(instance.problem, instance.routes, (time,))
    segment = segment_of(instance, np.array([5, 1, 2, 6], np.int32))
    assert segment.feasible and not segment.reverse.feasible
    assert segment.reverse.reverse == segment


def test_recombined_segments_are_those_of_the_move() -> None:
    instance = small()
    giant = np.array([5, 1, 2, 6, 3, 7, 4, 8, 9], np.int32)
    for move in ((0, 2), (1, 4, 6, 0), (1, 4, 6, 3), (0, 1, 2, 2)):
        whole = recombined(instance, giant, move)
        assert whole == segment_of(instance, apply(giant, move))
