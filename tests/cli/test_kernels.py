"""``--set kernel=NAME``: a rung that cannot serve says so in one line."""

import pytest

GEO = "NAME: three\nTYPE: TSP\nDIMENSION: 70\nEDGE_WEIGHT_TYPE: GEO\nNODE_COORD_SECTION\n"


@pytest.mark.parametrize("strategy", ["hill", "restarts"])
def test_a_kernel_is_chosen_by_name(call, strategy):
    options = ["--iterations", "3", "--device", "cpu", "--json"]
    done = call("solve", "uniform:70:1", "--strategy", strategy, "--set", "kernel=pruned", *options)
    assert done.code == 0 and done.json["feasible"] is True


@pytest.mark.parametrize("strategy", ["hill", "restarts"])
def test_an_unknown_kernel_is_one_line(call, strategy):
    done = call("solve", "uniform:70:1", "--strategy", strategy, "--set", "kernel=magic")
    assert done.code == 2 and "no kernel 'magic'; there are" in done.fault


@pytest.mark.parametrize("strategy", ["hill", "restarts"])
@pytest.mark.parametrize("kernel", ["pruned", "diagonal"])
def test_a_metric_that_a_kernel_cannot_measure_is_one_line(call, tmp_path, strategy, kernel):
    (tmp_path / "a.tsp").write_text(GEO + "".join(f"{k} {k / 7:.2f} {k % 9}\n" for k in range(1, 71)) + "EOF\n")
    done = call("solve", "a.tsp", "--strategy", strategy, "--set", f"kernel={kernel}", "--device", "cpu")
    assert done.code == 2 and f"{kernel} measures planar Euclidean distances" in done.fault and "GEO" in done.fault


def test_too_few_cities_for_a_kernel_are_one_line(call):
    done = call("solve", "uniform:20:1", "--strategy", "hill", "--set", "kernel=diagonal", "--device", "cpu")
    assert done.code == 2 and "diagonal takes at least" in done.fault and "pairs" in done.fault


def test_exact_scans_take_no_kernel(call):
    done = call("solve", "uniform:70:1", "--strategy", "hill", "--set", "kernel=pruned", "--set", "exact=yes")
    assert done.code == 2 and "kernel is for apply=best" in done.fault
