"""Faults that tests must notice: a search that answers correctly and searches badly, above all.

``plant.py`` plants them; ``test_planted.py`` checks that each still has its place and its tests. A fault that survives
needs a test of the behaviour it breaks, not a golden run, which any change breaks.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Fault:
    """A change to the source that tests should notice.

    Attributes
    ----------
    name : str
        What the program does wrong then.
    file : str
        Below ``src/warptour``.
    old, new : str
        A text that occurs once in it, and what replaces it.
    tests : tuple of str
        Tests below ``tests``, as pytest names them: one of them fails.
    """

    name: str
    file: str
    old: str
    new: str
    tests: tuple[str, ...]

    def plant(self, root: Path) -> None:
        """Change the file in the tree at ``root``."""
        path = root / "src/warptour" / self.file
        text = path.read_text(encoding="utf-8")
        if text.count(self.old) != 1:
            raise ValueError(f"{self.name}: {self.file} has {text.count(self.old)} times: {self.old}")
        path.write_text(text.replace(self.old, self.new), encoding="utf-8")


ACCEPTANCE = "routes/engine/test_acceptance.py"
ANNEALING = "routes/strategy/test_annealing.py"
COOLING = "routes/strategy/test_cooling.py"
GENETIC = "routes/strategy/test_hybrid_genetic.py"
SUBPOPULATION = "routes/strategy/test_subpopulation.py"
CROSSOVER = "routes/strategy/test_region_crossover.py"
LOCAL_SEARCH = "routes/engine/test_local_search.py"
EDGE_ASSEMBLY = "tours/engine/test_edge_assembly.py"
EXCHANGE = "strategies/test_exchange.py"
ISLANDS = "cluster/test_islands.py"
SYMMETRIC = "strategies/test_symmetric.py"
WORKERS = "strategies/test_workers.py"

FAULTS = (
    # Annealing of routes.
    Fault(
        "annealing of routes never cools",
        "routes/strategy/cooling.py",
        "(self.cold / self.hot) ** self.used(more)",
        "(self.cold / self.hot) ** 0",
        (COOLING, ANNEALING),
    ),
    Fault(
        "annealing of routes with a limit on time never cools",
        "routes/strategy/cooling.py",
        "spent / max(spent + left, 1e-9)",
        "0.0",
        (COOLING, ANNEALING),
    ),
    Fault(
        "annealing without limits is never heated again",
        "routes/strategy/cooling.py",
        "math.log2(cycles) % 1.0",
        "math.log2(cycles)",
        (COOLING,),
    ),
    Fault(
        "the temperature stays the same during a call on one group",
        "kernels/routes/annealing.h",
        "k < attempts; k++, heat *= factor",
        "k < attempts; k++, heat *= 1",
        (ACCEPTANCE,),
    ),
    Fault(
        "the temperature stays the same during a call on common routes",
        "kernels/routes/routes_together.c",
        "(real)begun / (real)attempts",
        "(real)0",
        (ACCEPTANCE,),
    ),
    Fault(
        "routes accept half of the rises that they should",
        "kernels/routes/annealing.h",
        "-heat * log(throw_unit(d))",
        "-heat * log(throw_unit(d)) * (throw_unit(d) < 0.5)",
        (ACCEPTANCE,),
    ),
    Fault(
        "common routes accept no rise",
        "kernels/routes/routes_together.c",
        "worse <= outcome.allowed",
        "worse <= 0",
        (ACCEPTANCE,),
    ),
    Fault(
        "groups of routes accept no rise",
        "kernels/routes/annealing.h",
        "accepted = accepted && !failed && worse <= outcome.allowed;",
        "accepted = accepted && !failed && worse <= 0;",
        (ACCEPTANCE,),
    ),
    Fault(
        "common annealing stays as hot as it began",
        "routes/strategy/common_annealing.py",
        "(plan.cooling.temperature(), plan.cooling.temperature(count))",
        "(plan.cooling.hot, plan.cooling.hot)",
        (ANNEALING,),
    ),
    Fault(
        "chains of routes do not exchange",
        "routes/strategy/ruin_recreate.py",
        "self._calls % plan.exchange == 0 and self.exchanging",
        "False",
        (ANNEALING,),
    ),
    Fault(
        "groups of routes are never redrawn",
        "routes/strategy/route_groups.py",
        "np.random.default_rng([plan.seed, self._round])",
        "np.random.default_rng([plan.seed, 0])",
        (ANNEALING,),
    ),
    Fault(
        "teams of threads do not exchange",
        "routes/strategy/teams.py",
        "if (self.advances + 1) % EXCHANGE == 0:",
        "if False:",
        (ANNEALING,),
    ),
    Fault(
        "fewer routes are never tried",
        "routes/strategy/first_routes.py",
        "while routes - step >= fewest and",
        "while False and",
        ("routes/strategy/test_start.py",),
    ),
    # Ruin, recreate and local search.
    Fault(
        "every ruin removes one customer",
        "kernels/routes/ruin.h",
        "1 + (int32)(throw_unit(d) * (2 * mean - 1))",
        "1",
        ("routes/engine/test_ruin_recreate.py",),
    ),
    Fault(
        "strings of customers are never removed",
        "kernels/routes/ruin.h",
        "if (walks && throw_below(d, 2))",
        "if (walks)",
        ("routes/engine/test_ruin_recreate.py",),
    ),
    Fault(
        "insertion skips nearly every position",
        "kernels/routes/recreate.h",
        "log(throw_unit(d)) / log1p(-blink)",
        "log(throw_unit(d)) / log1p(-0.9)",
        ("routes/engine/test_ruin_recreate.py",),
    ),
    Fault(
        "customers are inserted beside their nearest neighbours alone",
        "kernels/routes/recreate.h",
        "while (size < f->width && row[size] >= 0) {",
        "while (size < 1 && row[size] >= 0) {",
        ("routes/engine/test_ruin_recreate.py",),
    ),
    Fault(
        "local search never follows an insertion",
        "kernels/routes/annealing.h",
        "if (!missing && !outcome.failed && hopeful)",
        "if (0 && hopeful)",
        ("routes/engine/test_fleet.py",),
    ),
    Fault(
        "local search of routes exchanges no tails",
        "kernels/routes/local.h",
        "if (q != r) consider_tails(f, &best, TAILS, r, u, q, p, saved + f->back[v] - apart(f, p, x));",
        "",
        ("routes/engine/test_fleet.py",),
    ),
    # Hybrid genetic search.
    Fault(
        "a population of routes never crosses",
        "routes/strategy/hybrid_genetic.py",
        "tour = one if other is None else local_search.cross(one, other, seed=self.seed, stream=3 * stream)",
        "tour = one",
        (GENETIC,),
    ),
    Fault(
        "order crossover returns the second parent",
        "kernels/routes/routes_cross.c",
        "count = 1 + (int32)throw_below(&d, n)",
        "count = 1",
        (GENETIC, LOCAL_SEARCH),
    ),
    Fault(
        "diversity is inverted",
        "routes/strategy/subpopulation.py",
        "np.argsort(-diversity",
        "np.argsort(diversity",
        (SUBPOPULATION,),
    ),
    Fault(
        "clones survive",
        "routes/strategy/subpopulation.py",
        "            fitness[distance.min(axis=1) == 0] += 2 * len(survivors)\n",
        "",
        (SUBPOPULATION,),
    ),
    Fault(
        "the less fit of two parents is chosen",
        "routes/strategy/hybrid_genetic.py",
        "first if self._fitness[first] <= self._fitness[second] else second",
        "second if self._fitness[first] <= self._fitness[second] else first",
        (GENETIC,),
    ),
    Fault(
        "penalties never adapt",
        "routes/strategy/hybrid_genetic.py",
        "if len(self._fits) >= MEMORY:",
        "if False:",
        (GENETIC,),
    ),
    Fault(
        "a population of routes never begins anew",
        "routes/strategy/hybrid_genetic.py",
        "if self._since > PATIENCE:",
        "if False:",
        (GENETIC,),
    ),
    Fault(
        "SWAP* is left out",
        "kernels/routes/routes_descend.c",
        "if (k > 0 && s.moves == before) evaluate_routes",
        "if (0) evaluate_routes",
        (LOCAL_SEARCH,),
    ),
    Fault(
        "a split never begins a route at its cheapest place",
        "kernels/routes/routes_split.c",
        "real whole = time + c->home[b], cost = best[i] + whole + c->fixed;",
        "real whole = time + c->home[b], cost = best[i] + whole + c->fixed + j;",
        (LOCAL_SEARCH,),
    ),
    Fault(
        "a region crossover inherits nothing",
        "routes/strategy/region_crossover.py",
        "inherited = [others[number] for number in",
        "inherited = [own[number % len(own)] for number in",
        (CROSSOVER,),
    ),
    # Tours.
    Fault(
        "Or-opt moves are lost",
        "kernels/papers/scans/moves.h",
        "    consider_or_opt(p, tour, s, t, LONGEST_SEGMENT, &best, evaluations);\n    return best;",
        "    return best;",
        ("engines/test_climbers.py",),
    ),
    Fault(
        "kicks of a chain are kept only if they shorten the tour",
        "kernels/papers/scans/descent.c",
        "slack >= 0 && cost <= sums[BEST] + slack",
        "0",
        ("engines/test_climbers.py",),
    ),
    Fault(
        "kicks in a window are never kept",
        "kernels/tours/window_ils.h",
        "if (gain < MIN_GAIN(error, tally) ||",
        "if (1 ||",
        ("tours/strategy/test_strategy.py", "tours/engine/test_kicks.py"),
    ),
    Fault(
        "kicks in a window that change no length are undone",
        "kernels/tours/window_ils.h",
        "#define MIN_GAIN(error, tally) (-(error))",
        "#define MIN_GAIN(error, tally) (error)",
        ("tours/engine/test_kicks.py",),
    ),
    Fault(
        "kicks in a window are always in the same place",
        "kernels/tours/window_ils.h",
        "number * 2654435761u",
        "0u",
        ("tours/engine/test_kicks.py",),
    ),
    Fault(
        "windows are never redrawn",
        "tours/strategy/rounds.py",
        "np.random.default_rng([self.seed, self.round])",
        "np.random.default_rng([self.seed, 0])",
        ("tours/strategy/test_rounds.py",),
    ),
    Fault(
        "a crossover of tours returns its first parent",
        "kernels/tours/tour_eax.c",
        "        make_exchange(w, x, spare);\n        won += gain;",
        "",
        (EDGE_ASSEMBLY,),
    ),
    Fault(
        "offspring make the exchanges that cost most diversity",
        "kernels/tours/tour_eax.c",
        "if (ratio < census->price) continue;",
        "if (ratio > census->price) continue;",
        (EDGE_ASSEMBLY,),
    ),
    Fault(
        "a population of tours never crosses",
        "tours/strategy/generations.py",
        "        population.cross(place)\n",
        "",
        ("tours/strategy/test_edge_assembly.py::test_crossover_makes_the_individuals_shorter",),
    ),
    Fault(
        "a welcome tour is not crossed with the incumbent",
        "tours/strategy/edge_assembly.py",
        "        if gain > 0 or more > 0:\n            self.adopt(child, max(gain, 0.0) + more)\n",
        "",
        (WORKERS,),
    ),
    Fault(
        "the gains of all regions but one are lost",
        "tours/strategy/regions.py",
        "for number, window in enumerate(ranked):",
        "for number, window in enumerate(ranked[:1]):",
        (EXCHANGE,),
    ),
    Fault(
        "chains of kicks do not exchange",
        "papers/rocki/strategy/chains.py",
        "            if chain.gains[0] < best.gains[0]:\n",
        "            if False:\n",
        (EXCHANGE,),
    ),
    Fault(
        "shakers do not exchange",
        "papers/ermis/strategy/vns/lists.py",
        "                if one.gain < best.gain:\n",
        "                if False:\n",
        (EXCHANGE,),
    ),
    Fault(
        "chains on a device do not exchange",
        "papers/rocki/strategy/scans.py",
        "climbers.go_on(each, self.best(), float(climbers.lengths().min()))",
        "climbers.go_on(each)",
        (EXCHANGE,),
    ),
    Fault(
        "shakes never become stronger",
        "kernels/papers/ermis/vns_search.c",
        "gain > epsilon || strength >= strongest ? 0 : strength",
        "0",
        ("engines/test_variable.py",),
    ),
    Fault(
        "symmetric annealing accepts a rise twice as often as it should",
        "kernels/papers/mavroidis/symmetric.h",
        "real bits = rise > 0 ? rise * scale : (real)0;",
        "real bits = rise > 0 ? rise * scale - 1 : (real)0;",
        ("papers/mavroidis/engine",),
    ),
    Fault(
        "annealing of tours stays hot",
        "papers/mavroidis/strategy/annealing.py",
        "(self.cold / self.hot) ** spent",
        "(self.cold / self.hot) ** 0",
        (SYMMETRIC,),
    ),
    Fault(
        "perturbations of giant tours begin at the first routes",
        "papers/schulz/strategy/dcvrp.py",
        "order(self.problem, routes) <= order(self.problem, self.best)",
        "False",
        ("strategies/test_dcvrp.py",),
    ),
    Fault(
        "every batch of restarts climbs from the same tours",
        "papers/oneil/strategy/restarts.py",
        "seed=search.seed, first=started)",
        "seed=search.seed, first=0)",
        ("strategies/test_strategies.py::test_every_batch_of_restarts_climbs_from_other_tours",),
    ),
    # Scans.
    Fault(
        "a scan loses the last column of its tiles",
        "kernels/papers/scans/two_opt_scan.c",
        "int32 wanted = every - skipped < columns ? every - skipped : columns;",
        "int32 wanted = every - skipped < columns ? every - skipped : columns - 1;",
        ("engines/test_every_move.py",),
    ),
    Fault(
        "an exact scan loses the last columns of its rows",
        "kernels/papers/scans/two_opt_exact.c",
        "for (; j < end; j += LANES) {",
        "for (; j < end - 2; j += LANES) {",
        ("engines/test_every_move.py",),
    ),
    # Islands.
    Fault(
        "islands never exchange at a meeting",
        "cluster/islands/archipelago.py",
        "Arrival(0, None, None) if meeting is None else Arrival(0, meeting.solution, meeting.cost)",
        "Arrival(0, None, None)",
        (ISLANDS,),
    ),
    Fault(
        "islands with a limit on time never exchange",
        "cluster/islands/archipelago.py",
        "if now - self._exchanged_at < self._every:",
        "if now - self._exchanged_at >= 0:",
        (ISLANDS,),
    ),
    Fault(
        "islands hear of the first of them alone",
        "cluster/islands/archipelago.py",
        "others[(turn + island.rank) % len(others)]",
        "others[0]",
        (ISLANDS,),
    ),
    Fault(
        "what arrives at an island is not handed to its search",
        "search/worker.py",
        "if enter is None or not search.exchange.due():",
        "if True:",
        (ISLANDS, "search/test_worker.py"),
    ),
    Fault(
        "islands adopt worse tours",
        "search/worker.py",
        "if gain > 0 and self.iterations > 0:",
        "if self.iterations > 0:",
        ("search/test_worker.py", WORKERS),
    ),
    # Starts, bounds, limits, devices.
    Fault(
        "the smallest savings are taken first",
        "routes/starts/savings.py",
        "np.argsort(-saved[pays]",
        "np.argsort(saved[pays]",
        ("construct/test_savings.py",),
    ),
    Fault(
        "the ascent of a bound does not ascend",
        "kernels/bound/one_tree.c",
        "penalty[v] += state[0] * velocity[v];",
        "penalty[v] -= state[0] * velocity[v];",
        ("bound/test_held_karp.py",),
    ),
    Fault(
        "a time limit is doubled",
        "search/stop.py",
        "return state.seconds >= self.seconds\n",
        "return state.seconds >= 2 * self.seconds\n",
        ("search/test_stop.py", SYMMETRIC),
    ),
    Fault(
        "a comparison gives its own solvers twice the CPU time",
        "compare/ours.py",
        "CpuSeconds(seconds * self.threads, self.threads)",
        "CpuSeconds(2 * seconds * self.threads, self.threads)",
        ("compare/test_cpu_time.py::test_the_plan_gives_every_solver_the_same_cpu_seconds",),
    ),
    Fault(
        "patience is ignored",
        "search/stop.py",
        "return state.seconds - state.improved_at >= self.seconds",
        "return False",
        ("search/test_stop.py::test_no_improvement_waits_for_seconds_and_iterations",),
    ),
    Fault(
        "a device gets next to nothing to do",
        "routes/strategy/device_share.py",
        "return min(1.0, max(alone, together))",
        "return 0.95",
        ("routes/strategy/test_groups_and_device.py",),
    ),
    Fault(
        "a resumed population begins anew",
        "api/run.py",
        "population=() if saved is None else saved.population",
        "population=()",
        ("observe/test_kept_population.py",),
    ),
)
