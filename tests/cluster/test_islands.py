"""Islands find what one search would, the same for the same seed, and do without members that are lost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pytest

from clocks import Until
from mortal_members import Mortal, device, notes, same
from random_cities import cities
from warptour.cluster import member as member_module
from warptour.cluster.crew import Crew
from warptour.cluster.islands import archipelago
from warptour.cluster.islands.archipelago import Islands
from warptour.cluster.links import threads as threads_module
from warptour.cluster.links.threads import hire, host_threads
from warptour.devices import DeviceError
from warptour.devices.cpu import Cpu
from warptour.model.errors import UnsupportedError, UsageError
from warptour.model.metric import METRICS
from warptour.model.problem import TSP
from warptour.model.vehicles import VRP
from warptour.observe.events import Event, Improved, Workers
from warptour.papers.mavroidis.strategy.symmetric import SymmetricTwoOpt
from warptour.papers.oneil.strategy.hill import HillClimbing
from warptour.papers.oneil.strategy.restarts import RandomRestart
from warptour.papers.rocki.strategy.chains import KickChains
from warptour.papers.rocki.strategy.ils import IteratedLocalSearch
from warptour.routes.strategy.route_improvement import RouteImprovement
from warptour.search.search import Search
from warptour.search.stop import Iterations, Seconds, Stop
from warptour.search.strategy import Strategy
from warptour.strategies.registry import STRATEGIES
from warptour.tours.starts.start import first_tour
from warptour.tours.strategy.windows import Windows


def vehicles(n: int = 40, **options: Any) -> VRP:
    rng = np.random.default_rng(n)
    demands = rng.integers(1, 10, n)
    demands[0] = 0
    points = rng.integers(0, 1000, (n, 2)).astype(float)
    return VRP("vrp", METRICS["EUC_2D"], points, demands=demands, capacity=40, **options)


@dataclass(frozen=True)
class FailsOn(Strategy):
    """A strategy that a device by this name cannot run: it fails at its second iteration."""

    name: ClassVar[str] = "fails"
    iteration: ClassVar[str] = "kicks"
    device: str = "broken"
    error: type[Exception] = DeviceError

    def refuses(self, problem: TSP | VRP) -> None:
        return None

    def runs_on(self, problem: TSP | VRP) -> tuple[str, ...]:
        return ("cpu",)

    def run(self, search: Search[Any]) -> None:
        if search.device.name == self.device:
            search.offer(first_tour(search, "file"))
            raise self.error("out of memory")
        IteratedLocalSearch().run(search)


def on_islands(
    strategy: Strategy, problem: TSP | VRP, stop: Stop, crew: Crew | None = None, **options: Any
) -> tuple[Search[Any], list[Event]]:
    """Return a search after a run on two threads, or on ``crew``, and what its listeners were told."""
    heard: list[Event] = []
    search: Search[Any] = Search(problem, stop, seed=7, listeners=[heard.append], **options)
    with crew or Crew([hire(Cpu(1)), hire(Cpu(1))]) as members:
        Islands(strategy, members).run(search)
    assert search.best is not None
    report = problem.check(search.best)
    assert report.violations == ()
    assert search.cost == report.cost
    return search, heard


@dataclass(frozen=True)
class Corresponds(Strategy):
    """A strategy that offers one tour and keeps the costs of those that arrive."""

    name: ClassVar[str] = "corresponds"
    iteration: ClassVar[str] = "looks"
    own: ClassVar[dict[int, float]] = {}
    arrived: ClassVar[dict[int, set[float]]] = {}

    def refuses(self, problem: TSP | VRP) -> None:
        return None

    def runs_on(self, problem: TSP | VRP) -> tuple[str, ...]:
        return ("cpu",)

    def run(self, search: Search[Any]) -> None:
        search.offer(np.random.default_rng(search.seed).permutation(search.problem.n).astype(np.int32))
        assert search.cost is not None
        self.own[search.seed], heard = search.cost, self.arrived.setdefault(search.seed, set())
        while not search.over():
            search.count(1)
            if search.exchange.due():
                heard.update(float(search.exact_cost(tour)) for tour in search.exchange.take())

    def all_heard(self) -> bool:
        """Whether each member has heard of all the others, and of nobody else."""
        return len(self.own) == 3 and all(
            heard == {cost for other, cost in self.own.items() if other != seed} for seed, heard in self.arrived.items()
        )


@pytest.mark.parametrize("limit", ["iterations", "time"])
def test_every_tour_arrives_at_all_other_islands(limit: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("EXCHANGE_SECONDS", "EXCHANGE_SECONDS_PER_NODE"):
        monkeypatch.setattr(archipelago, name, 0.0)
    strategy = Corresponds()
    strategy.own.clear()
    strategy.arrived.clear()
    stop = Iterations(120) if limit == "iterations" else Until(strategy.all_heard) | Seconds(60)
    on_islands(strategy, cities(50), stop, Crew([hire(Cpu(1)) for _ in range(3)]))
    assert strategy.all_heard()


def test_an_island_continues_from_the_better_tour_of_another(monkeypatch: pytest.MonkeyPatch) -> None:
    gains = []
    adopt = KickChains.adopt

    def noted(chains: KickChains, tour: Any, gain: float) -> None:
        gains.append(gain)
        adopt(chains, tour, gain)

    monkeypatch.setattr(KickChains, "adopt", noted)
    on_islands(IteratedLocalSearch(), cities(300), Iterations(4000))
    assert gains and min(gains) > 0


@pytest.mark.parametrize("name", STRATEGIES)
def test_the_seed_and_the_iterations_decide_what_two_islands_find(name: str) -> None:
    strategy = STRATEGIES[name]()
    problem = vehicles(30) if strategy.refuses(cities(60)) else cities(60)
    limit = Iterations({"windows": 1000, "routes": 4000, "ils": 4000, "vns": 4000}.get(name, 20))
    first, second = (on_islands(strategy, problem, limit)[0] for _ in range(2))
    assert same(first.best, second.best)
    assert first.iterations == second.iterations


@pytest.mark.parametrize("strategy", [IteratedLocalSearch(), Windows()], ids=lambda strategy: strategy.name)
def test_a_member_that_dies_is_replaced_and_its_work_done_again(strategy: Strategy) -> None:
    problem, limit = cities(200), Iterations(4000 if strategy.name == "ils" else 1000)
    undisturbed, _ = on_islands(strategy, problem, limit)
    for messages in (0, 2):
        crew = Crew([hire(Cpu(1)), Mortal(messages)], rehire=lambda rank: hire(Cpu(1)))
        search, heard = on_islands(strategy, problem, limit, crew)
        assert notes(heard) == ["mortal has died; another takes its place"]
        assert same(search.best, undisturbed.best)
        assert search.iterations == undisturbed.iterations == limit.iterations


def test_without_a_replacement_the_others_do_its_iterations() -> None:
    search, heard = on_islands(
        IteratedLocalSearch(), cities(200), Iterations(6000), Crew([Mortal(1), hire(Cpu(1)), hire(Cpu(1))])
    )
    assert any("cannot be reproduced" in note for note in notes(heard))
    assert search.iterations == 6000


def test_a_member_that_hangs_is_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(member_module, "BEAT_SECONDS", 0.05)
    crew = Crew([Mortal(3, silent=True), hire(Cpu(1))], timeout=0.5)
    _, heard = on_islands(IteratedLocalSearch(), cities(200), Seconds(1.5), crew)
    assert any("no sign of life" in note for note in notes(heard))


def test_members_that_die_again_and_again_do_not_end_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(member_module, "BEAT_SECONDS", 0.05)
    rng = np.random.default_rng(1)

    def mortal(rank: int) -> Mortal:
        return Mortal(int(rng.integers(0, 5)))

    crew = Crew([mortal(0), mortal(1)], rehire=mortal)
    search, heard = on_islands(IteratedLocalSearch(), cities(200), Seconds(2), crew)
    assert len(notes(heard)) > 2
    assert search.iterations > 0


def test_the_coordinator_goes_on_alone_if_all_are_lost() -> None:
    search, heard = on_islands(IteratedLocalSearch(), cities(200), Iterations(2000), Crew([Mortal(2), Mortal(0)]))
    assert "no worker is left; going on without them" in notes(heard)
    assert search.iterations >= 2000


def test_a_device_that_fails_is_done_without() -> None:
    crew = Crew([hire(device("broken")), hire(device("sound"))])
    search, heard = on_islands(FailsOn(), cities(200), Iterations(2000), crew)
    assert "broken: out of memory; the others go on" in notes(heard)
    assert search.iterations == 2000


def test_a_device_found_by_name_that_fails_gives_way_to_the_cpu(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        member_module, "choose_devices", lambda name, *_: ([device("broken" if name == "auto" else name)], [])
    )
    serve = member_module.serve
    monkeypatch.setattr(threads_module, "serve", lambda link, *_: serve(link))
    heard: list[Event] = []
    search: Search[Any] = Search(cities(200), Iterations(2000), listeners=[heard.append])
    with Crew([hire(Cpu(1)), hire(Cpu(1))]) as crew:
        Islands(FailsOn(), crew, device="auto").run(search)
    assert [note.partition(": ")[2] for note in notes(heard)] == 2 * ["out of memory; going on with the CPU"]
    assert search.iterations == 2000


@pytest.mark.parametrize(
    ("error", "raised"), [(DeviceError, DeviceError), (UsageError, UnsupportedError), (ValueError, RuntimeError)]
)
def test_if_no_member_can_search_the_reason_is_raised(error: type[Exception], raised: type[Exception]) -> None:
    crew = Crew([hire(device("broken")), hire(device("broken"))])
    with pytest.raises(raised, match="out of memory"):
        on_islands(FailsOn(error=error), cities(50), Iterations(100), crew)


def test_climbers_and_tours_are_shared_out() -> None:
    search, _ = on_islands(RandomRestart(climbers=5), cities(50), Seconds(20))
    assert search.iterations == 5
    shares = [RandomRestart(climbers=5).share(rank, 3) for rank in range(3)]
    assert [share and share.climbers for share in shares] == [2, 2, 1]
    assert RandomRestart(climbers=1).share(1, 2) is None
    assert RandomRestart().share(1, 2) == RandomRestart()
    assert [SymmetricTwoOpt(tours=3).share(rank, 2) for rank in range(2)] == [
        SymmetricTwoOpt(tours=2), SymmetricTwoOpt(tours=1, start="random"),
    ]  # fmt: skip


def test_a_run_that_can_be_repeated_tells_improvements_between_meetings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archipelago, "MEETINGS", 1)
    monkeypatch.setattr(archipelago, "EXCHANGE_SECONDS", 0.0)
    _, heard = on_islands(IteratedLocalSearch(), cities(300), Iterations(30_000))
    costs = [event.state.cost for event in heard if isinstance(event, Improved)]
    assert len(costs) > 2


def test_members_that_end_by_themselves_end_the_search() -> None:
    search, heard = on_islands(HillClimbing(), cities(100), Seconds(60))
    assert search.seconds < 30
    assert [row.status for row in [event for event in heard if isinstance(event, Workers)][-1].rows] == ["done"] * 2


def test_the_closest_miss_is_kept_where_nothing_is_feasible() -> None:
    problem = vehicles(20, vehicles=1)
    search: Search[Any] = Search(problem, Iterations(2000))
    with Crew([hire(Cpu(1)), hire(Cpu(1))]) as crew:
        Islands(RouteImprovement(), crew).run(search)
    assert search.best is None
    assert search.miss is not None
    assert problem.check(search.miss).violations


def test_a_given_start_is_never_made_worse() -> None:
    start = on_islands(Windows(), cities(100), Iterations(3000))[0]
    again = on_islands(Windows(), cities(100), Iterations(200), start=start.best)[0]
    assert start.cost is not None
    assert again.cost is not None
    assert again.cost <= start.cost


def test_workers_are_told_with_what_they_gained() -> None:
    search, heard = on_islands(IteratedLocalSearch(), cities(300), Seconds(3))
    told = [event.rows for event in heard if isinstance(event, Workers)]
    assert all(len(rows) == 2 for rows in told)
    assert all(any(rows[k].rate > 0 for rows in told) for k in range(2))
    first = next(event.state.cost for event in heard if event.state.cost is not None)
    assert search.cost is not None
    assert sum(row.gain for row in told[-1]) == first - search.cost


@pytest.mark.parametrize(
    ("kinds", "threads", "expected"),
    [("hh", 4, [2, 2]), ("hg", 16, [14, 2]), ("gg", 5, [3, 2]), ("hgg", 2, [1, 1, 1]), ("gh", 3, [1, 2])],
)
def test_the_threads_of_the_host_are_shared_out(kinds: str, threads: int, expected: list[int]) -> None:
    class Stub:
        def __init__(self, host: bool) -> None:
            self.is_host = host

    devices: list[Any] = [Stub(kind == "h") for kind in kinds]
    assert host_threads(devices, threads) == expected
