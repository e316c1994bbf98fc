"""``devices`` and ``bench``."""

import pytest

from warptour.bench import SUITES, Options, Row, energy, run
from warptour.devices.details import HEADINGS
from warptour.model.errors import UsageError
from warptour.strategies import self_check

KEYS = (
    "name title kind memory units clock local_memory peak roots warp max_lanes max_groups registers shared_memory"
    " reserved_memory memory_unit cluster usable failure"
).split()


def test_the_cpu_is_listed_and_what_is_missing_is_said(call):
    done = call("devices", "--threads", "1")
    assert done.code == 0 and done.out.startswith("cpu ") and "1 cores" in done.out
    facts = call("devices", "--json").json
    assert facts["devices"][0]["name"] == "cpu"
    assert set(facts["devices"][0]) == set(KEYS)
    assert isinstance(facts["missing"], list)


def test_verbose_lists_what_flopscl_lists_of_each_device(call):
    found = call("devices", "--verbose", "--json").json["devices"]
    assert all(tuple(facts["details"]) == HEADINGS and all(facts["details"].values()) for facts in found)
    cpu = found[0]["details"]
    assert "float " in cpu["vector widths"] and cpu["compute units"] == str(found[0]["units"])
    for facts in found[1:]:
        assert all(facts["details"][name] != "unknown" for name in ("vendor", "driver", "error correction", "clock"))
    done = call("devices", "--verbose", "--threads", "1")
    assert all(f" {heading}: " in done.out for heading in HEADINGS)
    assert not any(f" {heading}: " in call("devices").out for heading in HEADINGS)


def test_the_outcome_of_the_self_check_is_shown(call, monkeypatch):
    assert "passed its self-check" in call("devices").out
    facts = call("devices", "--json").json["devices"][0]
    assert facts["usable"] is True and facts["failure"] is None
    monkeypatch.setattr(self_check, "_outcomes", {})
    monkeypatch.setattr(self_check, "_failure", lambda device: "it gave nothing")
    monkeypatch.setenv("WARPTOUR_CACHE", "")
    done = call("devices", "--measure")
    assert done.code == 0 and "NOT USED: cpu (" in done.out and "GFLOP/s" not in done.out
    facts = call("devices", "--json", "--measure").json["devices"][0]
    assert facts["usable"] is False and facts["failure"].endswith("fails its self-check: it gave nothing")
    assert "fails its self-check: it gave nothing" in call("solve", "uniform:60:1", "--device", "cpu").fault
    assert call("solve", "uniform:60:1", "--device", "cpu").code == 2


def test_a_suite_prints_rows(call, monkeypatch):
    import warptour.papers.scans.suites.scan as scan

    monkeypatch.setattr(scan, "TOURS", {"cpu": (200,), "gpu": (200,)})
    monkeypatch.setattr(scan, "CLIMBS", {"cpu": (70,), "gpu": (70,)})
    rows = call("bench", "scan", "--device", "cpu", "--threads", "1", "--quick", "--json").json
    assert [set(row) for row in rows] == [set("suite case n device value unit limit peer".split())] * len(rows)
    assert {row["n"] for row in rows} == {200, 70} and all(row["value"] > 0 for row in rows)
    table = call("bench", "scan", "--device", "cpu", "--threads", "1").out
    assert "Gmoves/s" in table and "restarts" in table


def test_an_unknown_suite_or_device_is_refused(call):
    assert "scan" in call("bench", "nothing").fault
    assert call("bench", "scan", "--device", "cuda:77").code == 2
    with pytest.raises(UsageError):
        run("nothing")


@pytest.mark.parametrize("suite", SUITES)
def test_every_suite_can_be_imported(suite):
    from importlib import import_module

    assert callable(import_module(SUITES[suite].module).run)
    assert Options().device == "auto" and Row("a", "b", 1, "cpu", 2.0, "x").limit is None


def test_without_a_counter_energy_is_one_line(call, monkeypatch, tmp_path):
    monkeypatch.setattr(energy, "POWERCAP", tmp_path)
    done = call("bench", "--energy", "--device", "cpu", "--quick")
    assert done.code == 2 and "no RAPL counter" in done.fault
    assert "--energy is a suite of its own" in call("bench", "scan", "--energy").fault
    assert "bench needs a SUITE" in call("bench").fault
