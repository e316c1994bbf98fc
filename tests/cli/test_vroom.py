"""VROOM's JSON on the command line: the command changes, the files do not."""

import json
import subprocess
import sys

import pytest

from vroom_requests import faults, small

QUICK = ("--iterations", "500", "--threads", "1", "--quiet")


@pytest.fixture
def request_file(tmp_path):
    (tmp_path / "input.json").write_text(json.dumps(small()))
    return tmp_path / "input.json"


def test_an_answer_goes_to_standard_output_or_a_file(call, request_file):
    done = call("solve", "input.json", *QUICK, "--output", "-", "--output", "answer.json")
    assert done.code == 0 and faults(small(), json.loads(done.out)) == []
    assert json.loads((request_file.parent / "answer.json").read_text()) == json.loads(done.out)
    assert call("check", "input.json", "answer.json").code == 0
    assert call("info", "input.json", "--json").json["n"] == 5


def test_a_request_may_be_piped(request_file):
    words = [sys.executable, "-m", "warptour", "solve", "-", *QUICK, "--output", "-"]
    done = subprocess.run(words, input=request_file.read_bytes(), capture_output=True, check=True)
    assert json.loads(done.stdout)["code"] == 0


def test_a_fault_is_one_line(call, request_file):
    request = small()
    request["vehicles"][1]["breaks"] = [{"id": 1, "service": 9, "max_load": [1]}]
    request_file.write_text(json.dumps(request))
    done = call("solve", "input.json")
    assert (done.code, done.fault) == (
        2,
        "input.json: vehicles[1].breaks[0].max_load: breaks that depend on the load are not planned yet",
    )
    assert call("solve", "input.json", "--vehicles", "2").fault.endswith("so --vehicles cannot apply")
