"""What a problem asks, and that no program is given what it is not said to know."""

from dataclasses import replace

import numpy as np
import pytest

import warptour as wt
from warptour.compare.features import Feature, features_of
from warptour.compare.peers.peer import Peer
from warptour.compare.peers.registry import PEERS
from warptour.compare.peers.template import Template
from warptour.model.clock import Clock
from warptour.model.metric import METRICS
from warptour.model.windows import TimeWindows

PLAIN = wt.read("vrp:9:1")
TOUR = wt.read("uniform:9:1")
WINDOWS = TimeWindows.of([(0, 9000), *[(100, 5000)] * 8], 9)
TWICE = [(100, 200), (300, 5000)]
LIMITED = replace(PLAIN, max_distance=5000.0)
HOURS = replace(PLAIN, clock=Clock(np.zeros(1), pace=1.0), max_duration=5000.0)
OPENED = replace(PLAIN, windows=WINDOWS)
MATRIX = wt.VRP.from_matrix(np.ones((4, 4), int), demands=[0, 1, 1, 1], capacity=9)
GIVES = replace(PLAIN, pickups=np.append(np.zeros(5, int), np.ones(4, int)))


def with_type(allowed=None, **options):
    """The plain problem with vehicles of one type, which may begin or end at node 2."""
    kind = wt.VehicleType(capacities=(PLAIN.capacity,), **options)
    demands = np.where(np.isin(np.arange(9), list(kind.places)), 0, PLAIN.demands)
    return replace(PLAIN, vehicles=None, demands=demands, depot=kind.start, fleet=wt.Fleet((kind,), allowed=allowed))


ASKED = [
    (TOUR, set()),
    (PLAIN, set()),
    (replace(TOUR, open=True), {Feature.OPEN_PATH}),
    (replace(TOUR, fixed_edges=np.array([[1, 2]])), {Feature.FIXED_EDGES}),
    (wt.TSP.from_matrix(np.arange(25).reshape(5, 5)), {Feature.ONE_WAY}),
    (PLAIN.rounded("ceil"), {Feature.OTHER_METRIC}),
    (PLAIN.rounded("none"), {Feature.UNROUNDED}),
    (replace(PLAIN, fixed_cost=5), {Feature.FIXED_COST}),
    (replace(PLAIN, vehicles=5), {Feature.FLEET}),
    (replace(PLAIN, vehicles=8), set()),
    (LIMITED, {Feature.LENGTH_LIMIT}),
    (replace(PLAIN, service_times=np.arange(9.0)), set()),
    (replace(LIMITED, service_times=np.arange(9.0)), {Feature.LENGTH_LIMIT, Feature.UNEVEN_SERVICES}),
    (replace(PLAIN, clock=Clock(np.zeros(1), pace=1.0)), set()),
    (HOURS, {Feature.DURATION_LIMIT}),
    (
        replace(HOURS, clock=Clock(np.zeros(1), durations=np.ones((9, 9)))),
        {Feature.DURATION_LIMIT, Feature.OTHER_TRAVEL},
    ),
    (replace(HOURS, max_distance=5000.0), {Feature.DURATION_LIMIT, Feature.LENGTH_LIMIT, Feature.TWO_LIMITS}),
    (OPENED, {Feature.WINDOWS}),
    (replace(PLAIN, max_trips=2), {Feature.TRIPS}),
    (with_type(start=0, end=0, max_trips=None), {Feature.TYPES, Feature.TRIPS}),
    (GIVES, {Feature.PICKUPS}),
    (replace(GIVES, backhauls="last"), {Feature.PICKUPS, Feature.BACKHAULS}),
    (
        replace(GIVES, demands=np.append(np.zeros(2, int), PLAIN.demands[2:]), backhauls="last"),
        {Feature.PICKUPS, Feature.BACKHAULS, Feature.BRIDGED_BACKHAULS},
    ),
    (
        replace(PLAIN, windows=TimeWindows.of([(0, 9000), TWICE, *[None] * 7], 9)),
        {Feature.WINDOWS, Feature.SEVERAL_WINDOWS},
    ),
    (
        replace(PLAIN, windows=TimeWindows.of([TWICE, *[None] * 8], 9)),
        {Feature.WINDOWS, Feature.SEVERAL_WINDOWS, Feature.DEPOT_WINDOWS},
    ),
    (replace(OPENED, max_duration=5000.0), {Feature.WINDOWS, Feature.WORKING_TIME}),
    (replace(OPENED, max_distance=5000.0), {Feature.WINDOWS, Feature.LENGTH_LIMIT, Feature.TWO_LIMITS}),
    (replace(OPENED, late_cost=1.0), {Feature.WINDOWS, Feature.LATENESS}),
    (replace(OPENED, max_wait=10.0), {Feature.WINDOWS, Feature.WAIT_LIMIT}),
    (replace(OPENED, releases=np.arange(9.0)), {Feature.WINDOWS, Feature.RELEASES}),
    (replace(OPENED, hour_cost=1.0), {Feature.WINDOWS, Feature.HOUR_COST}),
    (replace(PLAIN, open=True), {Feature.OPEN_ROUTES}),
    (replace(PLAIN, fewest=True), {Feature.FEWEST}),
    (replace(PLAIN, prizes=np.ones(9)), {Feature.PRIZES}),
    (replace(PLAIN, alternatives=(wt.Alternatives((1, 2)),)), {Feature.ALTERNATIVES}),
    (replace(PLAIN, vehicles=8, balance="stops"), {Feature.BALANCE}),
    (replace(PLAIN, together=((1, 2),)), {Feature.BONDS}),
    (replace(PLAIN, most_stops=3), {Feature.STOP_LIMIT}),
    (replace(PLAIN, more_demands=np.zeros((9, 1)), more_capacities=(1.0,)), {Feature.SEVERAL_LOADS}),
    (replace(PLAIN, demands=np.zeros(9, int), shipments=((1, 2),)), {Feature.SHIPMENTS}),
    (with_type(), {Feature.TYPES}),
    (with_type(count=3, fixed_cost=1), {Feature.FLEET, Feature.FIXED_COST, Feature.TYPES}),
    (with_type(end=None), {Feature.OPEN_ROUTES, Feature.TYPES}),
    (with_type(start=2, end=2), {Feature.TYPES, Feature.DEPOTS}),
    (with_type(max_distance=5000, max_stops=4), {Feature.TYPES, Feature.LENGTH_LIMIT, Feature.STOP_LIMIT}),
    (with_type(opens=5), {Feature.TYPES, Feature.WINDOWS}),
    (with_type(closes=5000, hour_cost=2), {Feature.TYPES, Feature.WINDOWS, Feature.HOUR_COST}),
    (with_type(max_duration=5000, overtime=3), {Feature.TYPES, Feature.WORKING_TIME, Feature.OVERTIME}),
    (with_type(breaks=(wt.Break(0, 9, 1),)), {Feature.TYPES, Feature.BREAKS}),
    (replace(MATRIX, vehicles=None, fleet=wt.Fleet((wt.VehicleType(capacities=(9,), matrix=MATRIX.matrix),))),
     {Feature.OTHER_METRIC, Feature.TYPES, Feature.OWN_WAYS}),
    (with_type(under_way=True), {Feature.TYPES, Feature.LOCKS}),
    (with_type(np.eye(9, 1) == 0), {Feature.TYPES, Feature.SKILLS}),
    (replace(with_type(end=2), windows=TimeWindows.of([(0, 9000), None, (0, 9999), *[None] * 6], 9)),
     {Feature.TYPES, Feature.WINDOWS, Feature.DEPOTS, Feature.TWO_SHIFTS}),
]  # fmt: skip


def without_its_program(kind: type[Peer]) -> Peer:
    return kind.__new__(kind)


@pytest.mark.parametrize(("problem", "asked"), ASKED)
def test_what_a_problem_asks_is_given_only_to_those_that_know_it(problem, asked):
    assert set(features_of(problem)) == asked
    for kind in PEERS:
        reason, missing = without_its_program(kind).refuses(problem), asked - kind.knows
        if problem.kind not in kind.kinds:
            assert reason == ("it is for tours" if problem.kind == "vrp" else "it is for vehicles")
        else:
            assert reason in {feature.value for feature in missing} if missing else reason is None


def test_every_feature_is_asked_by_a_problem_and_known_to_a_program_or_to_none():
    assert set().union(*(asked for _, asked in ASKED)) == set(Feature)
    known = set().union(*(kind.knows for kind in PEERS))
    nobody = {
        Feature.OPEN_PATH, Feature.DEPOT_WINDOWS, Feature.LATENESS, Feature.WAIT_LIMIT, Feature.TWO_LIMITS,
        Feature.BRIDGED_BACKHAULS, Feature.TRIPS, Feature.OWN_WAYS, Feature.BREAKS, Feature.BONDS, Feature.SHIPMENTS,
        Feature.BALANCE, Feature.LOCKS,
    }  # fmt: skip
    assert known == set(Feature) - nobody


def test_a_file_has_no_word_for_fewer_vehicles_first():
    command = without_its_program(Template)
    assert command.refuses(replace(PLAIN, fewest=True)) == Feature.FEWEST.value
    assert command.refuses(replace(OPENED, fixed_cost=5)) is None


def test_prices_are_positive_and_metrics_of_other_divisors_are_others():
    att = replace(PLAIN, metric=METRICS["ATT"])
    assert set(features_of(att)) == {Feature.OTHER_METRIC}
    assert set(features_of(replace(OPENED, hour_cost=0.0))) == {Feature.WINDOWS}
