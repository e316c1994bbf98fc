"""Which strategy runs, and what is refused before anything does."""

from __future__ import annotations

from warptour.model.errors import UnsupportedError, UsageError
from warptour.model.problem import TSP
from warptour.model.vehicles import VRP
from warptour.search.parameters import check_parameters
from warptour.search.refusals import symmetric_only
from warptour.search.strategy import Strategy
from warptour.strategies.exact import HeldKarp, is_tiny
from warptour.strategies.registry import default_strategy, known_strategy

STRATEGY_PARTS = (
    "name", "iteration", "refuses", "runs_on", "run", "portion", "keeps_fixed_edges", "counts_together", "share"
)  # fmt: skip
"""What a strategy has, as :class:`~warptour.search.strategy.Strategy` declares it."""


def choose_strategy(problem: TSP | VRP, strategy: Strategy | str | None) -> Strategy:
    """Return the strategy that a run of ``problem`` will use, or say why the one asked for cannot.

    Tiny problems are solved exactly: vehicle routes unless a strategy is asked for, tours whatever it is.
    """
    if isinstance(strategy, str):
        strategy = known_strategy(strategy)()
    if strategy is not None:
        lacks = [name for name in STRATEGY_PARTS if not hasattr(strategy, name)]
        if len(lacks) == len(STRATEGY_PARTS):
            raise UsageError(f"a strategy is a name or an object such as IteratedLocalSearch(), not {strategy!r}")
        if lacks:
            who = type(strategy).__name__
            raise UsageError(f"the strategy {who} lacks {', '.join(lacks)}: inherit from warptour.Strategy")
        check_parameters(strategy)
        _check_supported(strategy, problem)
    if is_tiny(problem) and (strategy is None or isinstance(problem, TSP)):
        return HeldKarp()
    if strategy is None:
        strategy = default_strategy(problem)
        _check_supported(strategy, problem)
    return strategy


def _check_supported(strategy: Strategy, problem: TSP | VRP) -> None:
    reason = strategy.refuses(problem)
    if reason is None and not isinstance(strategy, HeldKarp):
        reason = symmetric_only(strategy, problem)
    if reason is not None:
        raise UnsupportedError(reason)


def check_problem(problem: object) -> None:
    """Raise a UsageError unless ``problem`` is one."""
    if not isinstance(problem, TSP | VRP):
        raise UsageError(
            f"a problem is a TSP or VRP, such as read() returns, not {type(problem).__name__}; "
            "solve_points and solve_matrix take arrays"
        )
