"""Numbers of the documents that the code has, too."""

from __future__ import annotations

import re

from documents import ROOT
from warptour.routes.strategy.route_improvement import RouteImprovement


def test_which_search_has_the_budget_of_routes() -> None:
    text = re.sub(r"\s+", " ", (ROOT / "docs" / "user" / "vehicles.md").read_text(encoding="utf-8"))
    found = re.search(
        r"Up to (\d+) customers hybrid genetic search has all of the budget, from (\d+) on ruin and recreate", text
    )
    assert found is not None
    most, least = map(int, found.groups())
    strategy = RouteImprovement()
    assert (most, least) == (strategy.max_genetic_customers, strategy.min_ruin_customers)
    enough = 1e12
    assert strategy.share_by_size(most, enough, limited=False) == 0
    assert strategy.share_by_size(least, enough, limited=False) == 1
    assert "Where routes have a limit, ruin and recreate gets a quarter of that." in text
    between = (most + least) // 2
    share = strategy.share_by_size(between, enough, limited=False)
    assert strategy.share_by_size(between, enough, limited=True) == share / 4
