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
BALANCED = "routes/strategy/test_balanced_routes.py"
BONDS = "routes/strategy/test_bonds.py"
COOLING = "routes/strategy/test_cooling.py"
GENETIC = "routes/strategy/test_hybrid_genetic.py"
REPLANNING = "routes/strategy/test_replanning.py"
BREAKS = "routes/strategy/test_breaks.py"
POOLED = "routes/strategy/test_pooled_annealing.py"
SHIPMENTS = "routes/strategy/test_shipments.py"
RIDES = "routes/strategy/test_rides.py"
PICKUPS = "routes/strategy/test_pickups.py"
TRIPS = "routes/strategy/test_trips.py"
SUBPOPULATION = "routes/engine/test_subpopulation.py"
TIMES = "routes/strategy/test_times.py"
LOCAL_SEARCH = "routes/engine/test_local_search.py"
EDGE_ASSEMBLY = "tours/engine/test_edge_assembly.py"
EXCHANGE = "strategies/test_exchange.py"
ISLANDS = "cluster/test_islands.py"
SYMMETRIC = "papers/mavroidis/strategy/test_symmetric.py"
WORKERS = "strategies/test_workers.py"

FAULTS = (
    # Annealing of routes.
    Fault(
        "annealing of routes never cools",
        "routes/strategy/cooling.py",
        "(self.cold / self.hot) ** self.used(more)",
        "(self.cold / self.hot) ** 0",
        (
            f"{COOLING}::test_the_temperature_falls_geometrically_with_the_iterations",
            f"{COOLING}::test_the_temperature_falls_geometrically_with_the_time",
        ),
    ),
    Fault(
        "annealing of routes with a limit on time never cools",
        "routes/strategy/cooling.py",
        "spent / max(spent + left, 1e-9)",
        "0.0",
        (
            f"{COOLING}::test_the_temperature_falls_geometrically_with_the_time",
            f"{COOLING}::test_of_two_limits_the_nearer_cools",
        ),
    ),
    Fault(
        "annealing without limits is never heated again",
        "routes/strategy/cooling.py",
        "math.log2(cycles) % 1.0",
        "math.log2(cycles)",
        (f"{COOLING}::test_without_limits_each_cooling_takes_twice_as_long_as_the_last",),
    ),
    Fault(
        "the time that an edge takes heats nothing",
        "routes/strategy/cooling.py",
        "costs[own] += schedule.per_time / fleet.types[kind].speed * times",
        "costs[own] += 0 * times",
        ("routes/strategy/test_typical_edge.py::test_time_with_a_price_is_part_of_an_edge",),
    ),
    Fault(
        "of several windows, vehicles with a price of time see only the first opening and the last closing",
        "routes/engine/kinds.py",
        "any(schedule.walks for schedule in self.problem.schedules)",
        "False",
        ("routes/engine/test_kinds.py::test_routes_cost_what_the_checker_says",),
    ),
    Fault(
        "the temperature stays the same during a call on one group",
        "kernels/routes/annealing.h",
        "k < attempts; k++, heat *= factor",
        "k < attempts; k++, heat *= 1",
        (
            f"{ACCEPTANCE}::test_the_temperature_falls_during_a_call",
            f"{ACCEPTANCE}::test_half_of_a_call_is_above_the_geometric_mean_of_its_temperatures",
        ),
    ),
    Fault(
        "the temperature stays the same during a call on common routes",
        "kernels/routes/routes_together.c",
        "(real)begun / (real)attempts",
        "(real)0",
        (f"{ACCEPTANCE}::test_the_temperature_falls_during_a_call",),
    ),
    Fault(
        "routes accept half of the rises that they should",
        "kernels/routes/annealing.h",
        "-heat * log(throw_unit(d))",
        "-heat * log(throw_unit(d)) * (throw_unit(d) < 0.5)",
        (
            f"{ACCEPTANCE}::test_a_rise_is_accepted_with_the_probability_of_its_temperature",
            f"{ACCEPTANCE}::test_half_of_a_call_is_above_the_geometric_mean_of_its_temperatures",
        ),
    ),
    Fault(
        "common routes accept no rise",
        "kernels/routes/routes_together.c",
        "worse <= outcome.allowed",
        "worse <= 0",
        (
            f"{ACCEPTANCE}::test_a_rise_is_accepted_with_the_probability_of_its_temperature",
            f"{ACCEPTANCE}::test_the_temperature_falls_during_a_call",
        ),
    ),
    Fault(
        "groups of routes accept no rise",
        "kernels/routes/annealing.h",
        "accepted = !failed && worse <= outcome.allowed && within_limit(f);",
        "accepted = !failed && worse <= 0 && within_limit(f);",
        (
            f"{ACCEPTANCE}::test_a_rise_is_accepted_with_the_probability_of_its_temperature",
            f"{ACCEPTANCE}::test_the_temperature_falls_during_a_call",
        ),
    ),
    Fault(
        "common annealing stays as hot as it began",
        "routes/strategy/common_annealing.py",
        "self.plan.cooling.temperature(), self.plan.cooling.temperature(count)",
        "self.plan.cooling.hot, self.plan.cooling.hot",
        (
            f"{ANNEALING}::test_annealing_ends_well_below_a_descent_of_as_many_iterations",
            f"{ANNEALING}::test_each_call_has_the_temperature_that_is_due",
        ),
    ),
    Fault(
        "common routes do not take over what other threads have changed",
        "kernels/routes/board.h",
        "        save_champion(f, b, best, lowest, size);\n        take_over(f, b, post);",
        "        save_champion(f, b, best, lowest, size);",
        ("routes/engine/test_common_routes.py::test_copies_stay_alike_and_costs_are_those_of_the_problem",),
    ),
    Fault(
        "threads that race anneal a counted number of iterations",
        "routes/strategy/route_improvement.py",
        "(free or plan.pool.threads == 1)",
        "True",
        ("routes/strategy/test_route_improvement.py::test_threads_anneal_together_unless_iterations_are_limited",),
    ),
    Fault(
        "workers on routes do not continue from better ones",
        "routes/strategy/ruin_recreate.py",
        "        self.restart(self._best)\n",
        "",
        (f"{ANNEALING}::test_it_searches_from_the_routes_that_it_adopts",),
    ),
    Fault(
        "groups of routes are never redrawn",
        "routes/strategy/route_groups.py",
        "np.random.default_rng([plan.seed, self._round])",
        "np.random.default_rng([plan.seed, 0])",
        (
            f"{ANNEALING}::test_annealing_ends_well_below_a_descent_of_as_many_iterations",
            f"{ANNEALING}::test_groups_are_redrawn_each_round",
        ),
    ),
    Fault(
        "fewer routes are never tried",
        "routes/strategy/first_routes.py",
        "while routes - step >= fewest and",
        "while False and",
        (
            "routes/strategy/test_first_routes.py::test_fewer_routes_serve_everyone",
            "routes/strategy/test_first_routes.py::test_fewer_routes_are_found_without_a_budget",
        ),
    ),
    # Ruin, recreate and local search.
    Fault(
        "every ruin removes one customer",
        "kernels/routes/ruin.h",
        "1 + (int32)(throw_unit(d) * (2 * mean - 1))",
        "1",
        (
            "routes/engine/test_ruin_recreate.py::test_about_so_many_customers_are_removed_sometimes_few_and_sometimes_many",
        ),
    ),
    Fault(
        "strings of customers are never removed",
        "kernels/routes/ruin.h",
        "if (walks && throw_below(d, 2))",
        "if (walks)",
        ("routes/engine/test_ruin_recreate.py::test_half_of_the_ruins_remove_strings_and_half_walk",),
    ),
    Fault(
        "insertion skips nearly every position",
        "kernels/routes/recreate.h",
        "log(throw_unit(d)) / log1p(-blink)",
        "log(throw_unit(d)) / log1p(-0.9)",
        (
            "routes/engine/test_ruin_recreate.py::test_about_so_many_customers_are_removed_sometimes_few_and_sometimes_many",
            "routes/engine/test_ruin_recreate.py::test_half_of_the_ruins_remove_strings_and_half_walk",
        ),
    ),
    Fault(
        "customers are inserted beside their nearest neighbours alone",
        "kernels/routes/recreate.h",
        "while (size < f->width && row[size] >= 0) {",
        "while (size < 1 && row[size] >= 0) {",
        ("routes/engine/test_ruin_recreate.py::test_customers_are_inserted_beside_any_neighbour_of_their_list",),
    ),
    Fault(
        "local search never follows an insertion",
        "kernels/routes/annealing.h",
        "if ((absence > 0 || (!missing && !outcome.failed)) && hopeful)",
        "if (0 && hopeful)",
        ("routes/engine/test_route_state.py::test_local_search_exchanges_the_ends_of_routes",),
    ),
    Fault(
        "local search of routes exchanges no tails",
        "kernels/routes/local.h",
        "if (q != r) consider_tails(f, &best, TAILS, r, u, q, p, saved + f->back[v] - apart(f, q, p, x));",
        "",
        ("routes/engine/test_route_state.py::test_local_search_exchanges_the_ends_of_routes",),
    ),
    # Hybrid genetic search.
    Fault(
        "a population of routes never crosses",
        "kernels/routes/routes_breed.c",
        "customers_of(one, sizes[a], tour), customers_of(other, sizes[b], second);",
        "customers_of(one, sizes[a], tour), customers_of(one, sizes[a], second);",
        (
            f"{GENETIC}::test_offspring_have_edges_of_both_parents",
            f"{GENETIC}::test_offspring_are_better_than_the_best_of_the_first_individuals",
        ),
    ),
    Fault(
        "an exchange of routes gives back the first parent",
        "kernels/routes/exchange.h",
        "is_chosen(p, first) != side) continue;",
        "side) continue;",
        (f"{LOCAL_SEARCH}::test_an_exchange_takes_adjacent_routes_of_the_other_for_as_many_of_one",),
    ),
    Fault(
        "routes leave before their goods are there",
        "kernels/routes/schedule.h",
        "if (f->releases[visits[k]] > ready) ready = f->releases[visits[k]];",
        "ready = f->releases[visits[k]];",
        ("strategies/test_exact.py::test_no_routes_are_cheaper_whatever_the_times",),
    ),
    Fault(
        "order crossover returns the second parent",
        "kernels/routes/cross.h",
        "count = 1 + (int32)throw_below(d, n)",
        "count = 1",
        (
            f"{GENETIC}::test_offspring_have_edges_of_both_parents",
            f"{LOCAL_SEARCH}::test_a_child_has_a_piece_of_one_and_the_order_of_the_other",
        ),
    ),
    Fault(
        "diversity is inverted",
        "kernels/routes/routes_enlist.c",
        "apart += diversity[j] > diversity[k]",
        "apart += diversity[j] < diversity[k]",
        (f"{SUBPOPULATION}::test_diverse_individuals_survive_similar_ones_that_cost_as_much",),
    ),
    Fault(
        "clones survive",
        "kernels/routes/routes_enlist.c",
        "(r->ranges[2 * k] == 0 ? 2 * count : 0)",
        "0",
        (f"{SUBPOPULATION}::test_clones_go_first_however_cheap",),
    ),
    Fault(
        "the less fit of two parents is chosen",
        "routes/strategy/hybrid_genetic.py",
        "np.where(fitness[first] <= fitness[second], first, second)",
        "np.where(fitness[first] <= fitness[second], second, first)",
        (f"{GENETIC}::test_parents_win_tournaments_by_their_fitness",),
    ),
    Fault(
        "penalties never adapt",
        "routes/strategy/hybrid_genetic.py",
        "if len(self._fits) >= MEMORY:",
        "if False:",
        (
            f"{GENETIC}::test_penalties_fall_while_most_local_optima_are_feasible",
            f"{GENETIC}::test_penalties_rise_fast_until_there_are_feasible_routes",
        ),
    ),
    Fault(
        "a population of routes never begins anew",
        "routes/strategy/hybrid_genetic.py",
        "if self._since > PATIENCE:",
        "if False:",
        (f"{GENETIC}::test_a_population_that_stagnates_begins_anew",),
    ),
    Fault(
        "infeasible routes are never repaired",
        "routes/strategy/hybrid_genetic.py",
        "self._rng.random(count) < REPAIRED",
        "self._rng.random(count) < 0",
        (f"{GENETIC}::test_half_of_the_infeasible_local_optima_are_repaired",),
    ),
    Fault(
        "few customers descend at the usual penalties alone",
        "routes/strategy/hybrid_genetic.py",
        "if customers <= MAX_WHOLE else np.zeros(count, np.int64)",
        "if False else np.zeros(count, np.int64)",
        (f"{GENETIC}::test_penalties_adapt_to_the_offspring_of_few_customers_that_meet_them",),
    ),
    Fault(
        "penalties adapt to offspring that met stricter ones",
        "routes/strategy/hybrid_genetic.py",
        "self._keep(births.found, powers == 0)",
        "self._keep(births.found, powers >= 0)",
        (f"{GENETIC}::test_penalties_adapt_to_the_offspring_of_few_customers_that_meet_them",),
    ),
    Fault(
        "an answer is final before feasible routes have competed",
        "routes/strategy/hybrid_genetic.py",
        "if len(self.feasible) < MIN_SIZE:",
        "if False:",
        (f"{GENETIC}::test_nothing_is_settled_before_a_generation_of_feasible_routes_has_competed",),
    ),
    Fault(
        "SWAP* is left out",
        "kernels/routes/descent.h",
        "if (k > 0 && s->moves == before) evaluate_routes",
        "if (0) evaluate_routes",
        (f"{LOCAL_SEARCH}::test_no_move_pays_where_a_descent_ends",),
    ),
    Fault(
        "a split never begins a route at its cheapest place",
        "kernels/routes/split.h",
        "real whole = time + c->home[b], cost = best[i] + whole + c->fixed;",
        "real whole = time + c->home[b], cost = best[i] + whole + c->fixed + j;",
        (f"{LOCAL_SEARCH}::test_a_cut_is_the_cheapest_there_is",),
    ),
    # Tours.
    Fault(
        "Or-opt moves are lost",
        "kernels/papers/scans/moves.h",
        "    consider_or_opt(p, tour, s, t, LONGEST_SEGMENT, &best, evaluations);\n    return best;",
        "    return best;",
        (
            "papers/scans/test_climbers.py::test_kicks_are_kept_by_the_rule_of_their_slack",
            "papers/scans/test_climbers.py::test_a_local_optimum_has_no_improving_move_over_its_neighbour_lists",
        ),
    ),
    Fault(
        "kicks of a chain are kept only if they shorten the tour",
        "kernels/papers/scans/descent.c",
        "slack >= 0 && cost <= sums[BEST] + slack",
        "0",
        ("papers/scans/test_climbers.py::test_kicks_are_kept_by_the_rule_of_their_slack",),
    ),
    Fault(
        "kicks in a window are never kept",
        "kernels/tours/window_ils.h",
        "if (gain < MIN_GAIN(error, tally) ||",
        "if (1 ||",
        ("tours/strategy/test_windows.py::test_seed_threads_and_kicks_decide_the_tour",),
    ),
    Fault(
        "kicks in a window that change no length are undone",
        "kernels/tours/window_ils.h",
        "#define MIN_GAIN(error, tally) (-(error))",
        "#define MIN_GAIN(error, tally) (error)",
        (
            "tours/engine/test_kicks.py::test_kicks_are_made_everywhere_and_gain",
            "tours/engine/test_kicks.py::test_kicks_that_leave_the_length_as_it_is_are_kept",
        ),
    ),
    Fault(
        "kicks in a window are always in the same place",
        "kernels/tours/window_ils.h",
        "number * 2654435761u",
        "0u",
        ("tours/engine/test_kicks.py::test_kicks_are_made_everywhere_and_gain",),
    ),
    Fault(
        "Lin-Kernighan searches end after two steps",
        "kernels/tours/window.h",
        "#define STEPS(w) (w)->depth",
        "#define STEPS(w) 2",
        ("tours/strategy/test_windows.py::test_the_first_repair_goes_deeper_than_a_descent_over_three_neighbourhoods",),
    ),
    Fault(
        "windows are never redrawn",
        "tours/strategy/rounds.py",
        "np.random.default_rng([self.seed, self.round])",
        "np.random.default_rng([self.seed, 0])",
        ("tours/strategy/test_rounds.py::test_windows_are_redrawn_each_round",),
    ),
    Fault(
        "a crossover of tours returns its first parent",
        "kernels/tours/tour_eax.c",
        "        make_exchange(w, x, spare);\n        won += gain;",
        "",
        (
            f"{EDGE_ASSEMBLY}::test_what_is_better_in_the_other_is_taken_over",
            f"{EDGE_ASSEMBLY}::test_a_child_has_edges_of_both_parents_and_few_others",
        ),
    ),
    Fault(
        "offspring make the exchanges that cost most diversity",
        "kernels/tours/tour_eax.c",
        "if (ratio < census->price) continue;",
        "if (ratio > census->price) continue;",
        (f"{EDGE_ASSEMBLY}::test_selective_offspring_gain_before_the_population_loses_its_diversity",),
    ),
    Fault(
        "a population of tours never crosses",
        "tours/strategy/generations.py",
        "        population.cross(place)\n",
        "",
        ("tours/strategy/test_edge_assembly.py::test_crossover_makes_the_individuals_shorter",),
    ),
    Fault(
        "the best tour of a population joins no other",
        "tours/strategy/edge_assembly.py",
        "            self._elite.append(population.tours[population.best].copy())\n",
        "",
        ("tours/strategy/test_edge_assembly.py::test_the_best_of_many_individuals_joins_the_next_population",),
    ),
    Fault(
        "a welcome tour is not crossed with the incumbent",
        "tours/strategy/edge_assembly.py",
        "        if gain > 0 or more > 0:\n            self.adopt(child, max(gain, 0.0) + more)\n",
        "",
        (f"{WORKERS}::test_a_better_solution_of_another_search_is_where_it_continues",),
    ),
    Fault(
        "the gains of all regions but one are lost",
        "tours/strategy/regions.py",
        "for number, window in enumerate(ranked):",
        "for number, window in enumerate(ranked[:1]):",
        (f"{EXCHANGE}::test_the_gains_of_all_regions_are_joined",),
    ),
    Fault(
        "chains of kicks do not exchange",
        "papers/rocki/strategy/chains.py",
        "            if chain.gains[0] < best.gains[0]:\n",
        "            if False:\n",
        (f"{EXCHANGE}::test_threads_continue_from_the_best_of_them",),
    ),
    Fault(
        "shakers do not exchange",
        "papers/ermis/strategy/vns/lists.py",
        "            searches.meet()\n",
        "",
        (f"{EXCHANGE}::test_threads_continue_from_the_best_of_them",),
    ),
    Fault(
        "chains on a device do not exchange",
        "papers/rocki/strategy/scans.py",
        "climbers.go_on(each, self.best(), float(climbers.lengths().min()))",
        "climbers.go_on(each)",
        (f"{EXCHANGE}::test_chains_on_a_device_continue_from_the_best_of_them",),
    ),
    Fault(
        "shakes never become stronger",
        "kernels/papers/ermis/vns_search.c",
        "gain > epsilon || strength + 1 >= strongest ? 0 : strength + 1",
        "0",
        ("papers/ermis/engine/test_variable.py::test_shakes_become_stronger_until_one_gains",),
    ),
    Fault(
        "symmetric annealing accepts a rise twice as often as it should",
        "kernels/papers/mavroidis/symmetric.h",
        "real bits = rise > 0 ? rise * scale : (real)0;",
        "real bits = rise > 0 ? rise * scale - 1 : (real)0;",
        ("papers/mavroidis/engine/test_blocks.py::test_blocks_follow_the_reference",),
    ),
    Fault(
        "annealing of tours stays hot",
        "papers/mavroidis/strategy/annealing.py",
        "(self.cold / self.hot) ** spent",
        "(self.cold / self.hot) ** 0",
        (f"{SYMMETRIC}::test_annealing_cools_geometrically_over_its_budget",),
    ),
    Fault(
        "perturbations of giant tours begin at the first routes",
        "papers/schulz/strategy/dcvrp.py",
        "order(self.problem, routes) <= order(self.problem, self.best)",
        "False",
        ("papers/schulz/strategy/test_dcvrp.py::test_a_descent_that_ends_by_itself_is_locally_optimal",),
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
        ("papers/scans/test_every_move.py::test_of_the_diagonal_scan",),
    ),
    Fault(
        "an exact scan loses the last columns of its rows",
        "kernels/papers/scans/two_opt_exact.c",
        "for (; j < end; j += LANES) {",
        "for (; j < end - 2; j += LANES) {",
        ("papers/scans/test_every_move.py::test_of_exact_scans",),
    ),
    # Islands.
    Fault(
        "islands never exchange at a meeting",
        "cluster/islands/archipelago.py",
        "Arrival(0, None, None) if meeting is None else Arrival(0, meeting.solution, meeting.cost)",
        "Arrival(0, None, None)",
        (
            f"{ISLANDS}::test_every_tour_arrives_at_all_other_islands",
            f"{ISLANDS}::test_an_island_continues_from_the_better_tour_of_another",
        ),
    ),
    Fault(
        "islands with a limit on time never exchange",
        "cluster/islands/archipelago.py",
        "if now - self._exchanged_at < self._every:",
        "if now - self._exchanged_at >= 0:",
        (f"{ISLANDS}::test_every_tour_arrives_at_all_other_islands",),
    ),
    Fault(
        "islands hear of the first of them alone",
        "cluster/islands/archipelago.py",
        "others[(turn + island.home) % len(others)]",
        "others[0]",
        (f"{ISLANDS}::test_every_tour_arrives_at_all_other_islands",),
    ),
    Fault(
        "what arrives at an island is not handed to its search",
        "search/worker.py",
        "if enter is not None and search.exchange.due():",
        "if False:",
        (
            f"{ISLANDS}::test_an_island_continues_from_the_better_tour_of_another",
            "search/test_worker.py::test_solutions_of_other_searches_are_handed_over_with_their_gain",
        ),
    ),
    Fault(
        "islands adopt worse tours",
        "search/worker.py",
        "if gain > 0 and self.iterations > 0:",
        "if self.iterations > 0:",
        (
            "search/test_worker.py::test_a_chain_goes_on_from_a_better_solution_once_its_own_is_locally_optimal",
            f"{WORKERS}::test_a_worse_solution_of_another_search_costs_nothing",
        ),
    ),
    # Starts, bounds, limits, devices.
    Fault(
        "the smallest savings are taken first",
        "routes/starts/savings.py",
        "np.argsort(-saved[pays]",
        "np.argsort(saved[pays]",
        (
            "routes/starts/test_savings.py::test_two_customers_side_by_side_share_a_route",
            "routes/starts/test_savings.py::test_bands_of_savings_join_what_sorting_all_of_them_joins",
        ),
    ),
    Fault(
        "customers are served by no detour",
        "routes/starts/detour_routes.py",
        "_inserted(problem, routes, customer) or _by_others(problem, routes, customer)",
        "_inserted(problem, routes, customer)",
        ("routes/starts/test_detour_routes.py::test_customers_are_served_by_way_of_others",),
    ),
    Fault(
        "an exact solution keeps the cheapest partial routes alone",
        "kernels/routes/exact_routes.c",
        "kept ? best_used < least : best_used <= least",
        "!kept && best_used <= least",
        ("strategies/test_exact.py::test_partial_routes_that_are_quicker_are_kept_beside_cheaper_ones",),
    ),
    Fault(
        "rounds of annealing go on from each other",
        "routes/strategy/pooled_annealing.py",
        "self.restart(self._first if now < self.rounds else self._best)",
        "pass",
        (f"{POOLED}::test_there_are_as_many_rounds_as_there_is_time_for",),
    ),
    Fault(
        "better combinations of routes are not gone on from",
        "routes/strategy/pooled_annealing.py",
        "if self.instance.cheaper(cost, self.lowest):",
        "if self.instance.cheaper(self.lowest, cost):",
        (f"{POOLED}::test_a_better_combination_is_gone_on_from",),
    ),
    Fault(
        "routes with the same customers are kept in the order seen first",
        "routes/engine/route_pool.py",
        "known is not None and known[0] <= cost",
        "known is not None",
        ("routes/engine/test_partition_routes.py::test_of_routes_with_the_same_customers_the_cheapest_order_is_kept",),
    ),
    Fault(
        "few customers of a fleet are never divided among kinds of vehicles",
        "kernels/routes/exact_routes.c",
        "taken; taken = (taken - 1) & subset) {",
        "taken; taken = 0) {",
        ("strategies/test_exact.py::test_no_routes_of_a_fleet_are_cheaper_whatever_is_asked_of_it",),
    ),
    Fault(
        "an open route of few customers may end after the shift",
        "kernels/routes/exact_walks.c",
        "path.early + ride > closes_at_end(&f, r) || ",
        "",
        ("strategies/test_exact.py::test_an_open_route_is_done_before_the_shift_ends",),
    ),
    Fault(
        "routes over distances without geometry end early",
        "search/patience.py",
        "customers > MAX_CUSTOMERS or not has_geometry(problem)",
        "customers > MAX_CUSTOMERS",
        ("search/test_stop.py::test_vehicle_routes_over_distances_without_geometry_have_all_their_time",),
    ),
    Fault(
        "the ascent of a bound does not ascend",
        "kernels/bound/one_tree.c",
        "penalty[v] += state[0] * velocity[v];",
        "penalty[v] -= state[0] * velocity[v];",
        ("bound/test_held_karp.py::test_the_ascent_reaches_the_linear_program_but_never_passes_it",),
    ),
    Fault(
        "negative reduced costs are left out of the bound of branch and cut",
        "bound/cutting/safe.py",
        "total(free[free < 0])",
        "0",
        ("bound/test_branch_and_cut.py::test_any_duals_give_a_bound",),
    ),
    Fault(
        "cuts that hold both ends of an edge inside are counted for neither",
        "kernels/bound/reduced_costs.c",
        "sum += d->saved[",
        "sum -= d->saved[",
        ("bound/test_branch_and_cut.py::test_any_duals_give_a_bound",),
    ),
    Fault(
        "a comb asks for one edge more than tours have",
        "bound/cutting/cut.py",
        "3 * len(teeth) + 1, patterns",
        "3 * len(teeth) + 2, patterns",
        ("bound/test_branch_and_cut.py::test_cuts_prove_themselves_and_wrong_ones_do_not",),
    ),
    Fault(
        "a time limit is doubled",
        "search/stop.py",
        "return state.seconds >= self.seconds\n",
        "return state.seconds >= 2 * self.seconds\n",
        ("search/test_stop.py::test_the_first_rule_that_is_reached_is_the_reason",),
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
        (
            "routes/strategy/test_groups_and_device.py::test_few_groups_are_left_to_the_host",
            "routes/strategy/test_groups_and_device.py::test_auto_takes_a_gpu_only_where_groups_are_many",
        ),
    ),
    Fault(
        "a resumed population begins anew",
        "api/run.py",
        "population=() if self.saved is None else self.saved.population",
        "population=()",
        (
            "observe/test_kept_population.py::test_a_resumed_run_goes_on_with_the_population",
            "observe/test_kept_population.py::test_an_asymmetric_problem_keeps_tours_of_its_own_cities",
        ),
    ),
    # Times on routes.
    Fault(
        "windows behind a position do not count",
        "kernels/routes/schedule.h",
        "if (own && t + time_leg(f, p, at, b) > (b == DEPOT ? closes_at_end(f, p) : f->late[b])) return 0;",
        "if (own && t + time_leg(f, p, at, b) > (b == DEPOT ? closes_at_end(f, p) : f->closes[b])) return 0;",
        (f"{TIMES}::test_searches_keep_what_they_promise_and_lower_the_cost",),
    ),
    Fault(
        "no customer fits right behind the depot",
        "kernels/routes/schedule.h",
        "real t = a == DEPOT ? depart(f, p) : f->early[a];",
        "real t = a == DEPOT ? (real)UNREACHED : f->early[a];",
        (f"{TIMES}::test_most_tiny_problems_are_solved_to_optimality_and_none_wrongly",),
    ),
    Fault(
        "waits take no time",
        "kernels/common/segments.h",
        "wait = wait > 0 ? wait : 0,",
        "wait = 0,",
        (f"{LOCAL_SEARCH}::test_no_move_pays_where_a_descent_ends",),
    ),
    Fault(
        "the population splits tours without regard to windows",
        "kernels/routes/split.h",
        "cost += c->per_time2 * (all.warp + (all",
        "cost += 0 * (all.warp + (all",
        (f"{LOCAL_SEARCH}::test_a_cut_is_the_cheapest_there_is",),
    ),
    Fault(
        "no population follows where there are windows",
        "routes/strategy/route_improvement.py",
        "MIN_TIMED_SHARE = 0.25",
        "MIN_TIMED_SHARE = 1.0",
        (f"{TIMES}::test_a_population_follows_where_it_knows_the_times",),
    ),
    Fault(
        "vehicles are tried no longer where the last took long",
        "routes/strategy/fixed_fleet.py",
        "max(self.share, PERSISTENCE * self._took)",
        "self.share",
        ("routes/strategy/test_fixed_fleet.py::test_where_the_last_took_long_the_next_gets_longer_up_to_a_limit",),
    ),
    Fault(
        "more routes are taken though fewer come first",
        "routes/strategy/route_improvement.py",
        "fixed_cost=problem.fixed_cost + math.ceil(cost)",
        "fixed_cost=problem.fixed_cost",
        (f"{TIMES}::test_a_route_less_pays_whatever_the_distance_where_fewer_come_first",),
    ),
    Fault(
        "even routes are found and then no longer wanted",
        "search/search.py",
        "return 0 if problem.balance is None else largest(problem, found)",
        "return 0",
        (f"{BALANCED}::test_the_largest_route_comes_first_then_the_cost",),
    ),
    Fault(
        "limits of even routes are as wide as the last largest",
        "routes/strategy/balanced_routes.py",
        "while most > least and not search.over()",
        "while False and not search.over()",
        (f"{BALANCED}::test_many_stops_are_shared_out",),
    ),
    Fault(
        "who goes together is tried in empty vehicles alone",
        "kernels/routes/company.h",
        "for (int32 k = 0; k < count + f->number; k++)",
        "for (int32 k = count; k < count + f->number; k++)",
        (f"{BONDS}::test_pairs_move_as_one_customer_would",),
    ),
    Fault(
        "insertion overlooks rivals",
        "kernels/routes/recreate.h",
        "if (rival_on(&f->bonds, f->route, c, r, ABSENT)) return;",
        "",
        (f"{BONDS}::test_so_many_apart_as_there_are_vehicles", f"{BONDS}::test_threads_keep_bonds"),
    ),
    Fault(
        "ends of routes are exchanged whatever the bonds",
        "kernels/routes/local.h",
        "|| !all_keep_bonds(f, turned, r, u, x, q, v, y)) return;",
        ") return;",
        (f"{BONDS}::test_threads_keep_bonds",),
    ),
    Fault(
        "what is picked up takes no room behind its stop",
        "kernels/routes/loads.h",
        "real before = a.peak + b.brought, behind = a.left + b.peak;",
        "real before = a.peak + b.brought, behind = b.peak;",
        (f"{PICKUPS}::test_few_two_way_loads_are_planned_best", f"{PICKUPS}::test_threads_agree_on_two_way_loads"),
    ),
    Fault(
        "deliveries may come behind pickups",
        "kernels/routes/loads.h",
        "return !(done & CROSSED) && !(f->strict && done == TAKES);",
        "return !(f->strict && done == TAKES);",
        (f"{PICKUPS}::test_few_two_way_loads_are_planned_best", f"{PICKUPS}::test_threads_agree_on_two_way_loads"),
    ),
    Fault(
        "routes of pickups alone are planned",
        "kernels/routes/loads.h",
        "return !(done & CROSSED) && !(f->strict && done == TAKES);",
        "return (void)f, !(done & CROSSED);",
        (f"{PICKUPS}::test_few_two_way_loads_are_planned_best", f"{PICKUPS}::test_threads_agree_on_two_way_loads"),
    ),
    Fault(
        "parts of routes are turned whatever their loads",
        "kernels/routes/local.h",
        "if (!keeps_loads(f, f->prev[from], f->middle, listed, f->next[to], r)) return;",
        "(void)listed;",
        (f"{PICKUPS}::test_all_moves_are_made_of_two_way_loads",),
    ),
    Fault(
        "what is picked up stays on board at a reload",
        "kernels/routes/loads.h",
        "if (!b.reloads) return both;",
        "return both;",
        (f"{TRIPS}::test_kernels_know_what_trips_cost_and_which_are_kept",),
    ),
    Fault(
        "vehicles leave again before the goods are there",
        "kernels/routes/stages.h",
        "real loaded = stage.ready > released ? stage.ready : released,",
        "real loaded = stage.ready,",
        (f"{TRIPS}::test_kernels_know_what_trips_cost_and_which_are_kept",),
    ),
    Fault(
        "goods behind a change are forgotten",
        "kernels/routes/stages.h",
        "if (b != DEPOT && f->stages[b].released_from > released) released = f->stages[b].released_from;",
        "",
        (f"{TRIPS}::test_few_customers_are_served_best", f"{TRIPS}::test_threads_agree_on_trips"),
    ),
    Fault(
        "no customer begins a trip",
        "kernels/routes/insert_trip.h",
        "if (travel >= best->more ||",
        "if (loaded || travel >= best->more ||",
        (f"{TRIPS}::test_few_customers_are_served_best", f"{TRIPS}::test_a_trip_goes_from_the_nearest_depot"),
    ),
    Fault(
        "two threads use one node for their reloads",
        "kernels/routes/board.h",
        "return f->prize || f->group || CUSTOMERS(f) < f->m - 1;",
        "return f->prize || f->group;",
        (f"{TRIPS}::test_threads_agree_on_trips",),
    ),
    Fault(
        "goods are unloaded whatever is in front of them",
        "kernels/routes/pairs.h",
        "if (f->below && mate < 0 && top != -mate) return 0;",
        "",
        (f"{SHIPMENTS}::test_goods_that_are_a_stack_are_planned_best", f"{SHIPMENTS}::test_threads_agree_on_shipments"),
    ),
    Fault(
        "goods may be delivered before they are picked up",
        "kernels/routes/pairs.h",
        "if (mate < 0 && f->met[-mate] != f->walk) return 0;",
        "",
        (f"{SHIPMENTS}::test_few_shipments_are_planned_best", f"{SHIPMENTS}::test_threads_agree_on_shipments"),
    ),
    Fault(
        "searches overlook how long goods ride",
        "kernels/routes/rides.h",
        "int32 pickup = k && k <= count ? -f->mate[visits[k - 1]] : 0;",
        "int32 pickup = 0;",
        (f"{RIDES}::test_drivers_wait_before_pickups_and_not_behind_them", f"{RIDES}::test_threads_keep_longest_rides"),
    ),
    Fault(
        "pickups never wait for a shorter ride",
        "kernels/routes/rides.h",
        "if (p && least > starts[p] + f->rounding / 2) starts[p] = least, changed = 1;",
        "if (p && least > starts[p] + f->rounding / 2) return UNREACHED;",
        (f"{RIDES}::test_drivers_wait_before_pickups_and_not_behind_them",),
    ),
    Fault(
        "the model overlooks how long goods ride",
        "model/rides.py",
        "least = max(least, starts[ride.delivery] - ride.longest - self._services[at])",
        "pass",
        ("model/test_rides.py::test_routes_keep_longest_rides_as_the_judge_says",),
    ),
    Fault(
        "vehicles serve stops on any day",
        "io/choices.py",
        "allowed[row] &= _named(choices, meaning, row, cell, names)",
        "_named(choices, meaning, row, cell, names)",
        ("routes/strategy/test_days.py::test_few_stops_are_planned_best_on_their_days",),
    ),
    Fault(
        "loads do not change along a route",
        "kernels/routes/loads.h",
        "return f->change[(int64)k * f->m + c];",
        "return (void)f, (void)c, (void)k, 0;",
        (f"{SHIPMENTS}::test_few_shipments_are_planned_best", f"{SHIPMENTS}::test_threads_agree_on_shipments"),
    ),
    Fault(
        "the search overlooks breaks",
        "kernels/routes/schedule.h",
        "return f->rests && kind_of(f, r)->rests > 0;",
        "return (void)f, (void)r, 0;",
        (f"{BREAKS}::test_few_stops_are_planned_best_with_a_break", f"{BREAKS}::test_threads_keep_breaks"),
    ),
    Fault(
        "the search lets drivers drive on",
        "kernels/routes/rests.h",
        "real since = driven[k] + way > most ? (real)UNREACHED : driven[k] + way;",
        "real since = driven[k];",
        (f"{BREAKS}::test_threads_keep_the_driving_rule",),
    ),
    Fault(
        "the search has no breaks on the way",
        "kernels/routes/rests.h",
        "stop_segment(rests[k].opens - way, rests[k].closes, rests[k].length);",
        "stop_segment(rests[k].opens, rests[k].closes, rests[k].length);",
        (f"{BREAKS}::test_few_stops_are_planned_best_with_a_break",),
    ),
    Fault(
        "stops come before those that are to be first",
        "kernels/routes/locks.h",
        "if (k && l->rank[c] < l->rank[visits[k - 1]]) return UNREACHED;",
        "",
        (f"{REPLANNING}::test_few_stops_are_planned_again_best", f"{REPLANNING}::test_threads_keep_orders"),
    ),
    Fault(
        "the search knows no orders of a plan",
        "kernels/routes/locks.h",
        "if (l->turn[c] && l->turn[c] < turn) return UNREACHED;",
        "",
        (f"{REPLANNING}::test_few_stops_are_planned_again_best", f"{REPLANNING}::test_threads_keep_orders"),
    ),
    Fault(
        "a stop changes its vehicle for nothing",
        "kernels/routes/locks.h",
        "changes += l->home[c] >= 0 && l->home[c] != kind;",
        "(void)kind;",
        (f"{REPLANNING}::test_few_stops_are_planned_again_best",),
    ),
    Fault(
        "the search forgets the way home of empty vehicles under way",
        "routes/engine/kinds.py",
        "(each.fixed_cost - problem.homeward_costs[kind]) / self.unit",
        "each.fixed_cost / self.unit",
        (f"{REPLANNING}::test_few_stops_are_planned_again_best",),
    ),
    Fault(
        "neighbours are near in distance alone",
        "routes/engine/proximity.py",
        "return distance + PER_WAIT * waits",
        "return distance",
        (f"{TIMES}::test_neighbours_are_near_in_time_too",),
    ),
)
