"""What a newcomer types first: the program alone, ``doctor``, ``completion``, ``man``."""

from __future__ import annotations

import shlex
import shutil
import subprocess
import tomllib

import pytest

from warptour.cli import completion, doctor, here, manual
from warptour.cli.commands import COMMANDS
from warptour.io.fleets import is_fleet_sheet
from warptour.kernels.build import BuildError
from warptour.model.errors import MissingLibrary

OF_DEVICES = {"all", "cuda", "cuda12", "opencl"}
"""Extras that ``doctor`` names by their devices."""


def test_an_empty_folder_is_where_examples_begin(call):
    done = call()
    assert done.code == 0 and done.err == ""
    assert "warptour demo" in done.out and "warptour example" in done.out and "warptour solve" not in done.out


def test_commands_for_files_run_as_they_are_printed(call, tmp_path):
    call("example")
    (tmp_path / "a b.tsv").write_text("x\ty\n0\t0\n3\t0\n0\t4\n")
    (tmp_path / "-1.csv").write_text("x,y\n0,0\n3,0\n0,4\n")
    (tmp_path / ".hidden.tsp").write_text("")
    (tmp_path / "folder.csv").mkdir()
    lines = [line.split("  ")[0] for line in call().out.splitlines() if line.startswith("warptour solve")]
    assert lines == [
        "warptour solve ./-1.csv --map ./-1.html",
        "warptour solve 'a b.tsv' --map 'a b.html'",
        "warptour solve customers.csv --capacity LOAD --map customers.html",
        "warptour solve deliveries.csv --capacity LOAD --map deliveries.html",
        "warptour solve demo1000.tsp --seconds 10 -o demo1000.tour",
        "warptour solve stops.csv --map stops.html",
    ]
    assert is_fleet_sheet("fleet") and (tmp_path / "fleet.csv").exists()
    assert call("solve", "./-1.csv", "--map", "./-1.html", "--json").json["cost"] == 12
    assert (tmp_path / "-1.html").exists()
    for line in lines:
        words = shlex.split(line.replace("LOAD", "1200"))[1:]
        limits = ("--iterations", "1", "--seconds", "10") if "--seconds" not in words else ("--iterations", "1")
        assert call(*words, *limits).code == 0, line


def test_a_full_folder_is_cut_short(call, tmp_path):
    for number in range(here.MOST + 1):
        (tmp_path / f"{number}.tsp").touch()
    lines = call().out.splitlines()
    assert sum(line.startswith("warptour solve") for line in lines) == here.MOST and "..." in lines


def test_doctor_looks_at_everything(call, root):
    done = call("doctor", "--json")
    found = {each["subject"]: each for each in done.json["findings"]}
    extras = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    assert set(doctor.EXTRAS) == set(extras) - OF_DEVICES
    assert set(found) >= {
        "warptour",
        "library",
        "compiler",
        "cores",
        "memory",
        "folder",
        "cpu",
        "CUDA",
        *doctor.EXTRAS,
    } or ("cuda:0" in found)
    assert found["cpu"]["state"] == "fine" and "self-check" in found["cpu"]["about"]
    assert all(bool(each["remedy"]) == (each["state"] != "fine") for each in found.values())
    assert done.code == any(each["state"] == "fault" for each in found.values())


def test_doctor_says_how_to_mend(call, monkeypatch, tmp_path):
    def lost():
        raise MissingLibrary("no native library: build it")

    def without_compiler():
        raise BuildError("no C compiler")

    monkeypatch.setattr(doctor, "variant", lost)
    monkeypatch.setattr(doctor, "find_spec", lambda module: None)
    monkeypatch.setattr(doctor, "free_memory", lambda: 1e8)
    monkeypatch.setattr(doctor, "SCARCE_DISK", 1e30)
    monkeypatch.setattr(doctor.build, "find_compiler", without_compiler)
    done = call("doctor")
    assert done.code == 1
    said = " ".join(done.out.split())
    for words in (
        "library fault no native library: build it",
        "compiler missing",
        "memory fault 0.1 GB free",
        "folder fault",
        "plot missing plots: pip install 'warptour[plot]'",
    ):
        assert words in said
    assert "self-check" not in said


def test_a_folder_that_cannot_be_written_is_a_fault(monkeypatch, tmp_path):
    monkeypatch.setattr(doctor.tempfile, "TemporaryFile", lambda dir: (_ for _ in ()).throw(OSError(30, "read-only")))
    assert [each.state for each in doctor._disks()] == ["fault", "fault"]


@pytest.mark.parametrize("shell", completion.SCRIPTS)
def test_shells_complete_commands_and_options(call, shell):
    script = call("completion", shell).out
    assert all(command in script for command in COMMANDS)
    assert "seconds" in script and "no-latlon" in script
    if shell == "bash" and shutil.which("bash"):
        asked = f'{script}\nCOMP_CWORD=2 COMP_WORDS=(warptour solve --sec); _warptour; echo "${{COMPREPLY[@]}}"'
        done = subprocess.run(["bash", "-c", asked], capture_output=True, text=True, check=True)
        assert done.stdout.strip() == "--seconds" and done.stderr == ""
    elif shell == "fish" and shutil.which("fish"):
        asked = f'{script}\ncomplete -C "warptour solve --sec"'
        done = subprocess.run(["fish", "-c", asked], capture_output=True, text=True, check=True)
        assert done.stdout.startswith("--seconds") and done.stderr == ""
    elif program := shutil.which(shell):
        assert subprocess.run([program, "-n"], input=script, capture_output=True, text=True, check=True).stderr == ""


def test_a_shell_that_nobody_knows(call):
    assert call("completion", "tcsh").fault == "SHELL is one of bash, zsh, fish, not 'tcsh'"


def test_the_manual_page_is_the_help(root):
    """If not: ``python -m warptour.cli.manual > release/warptour.1``."""
    page = (root / "release" / "warptour.1").read_text(encoding="utf-8")
    assert page == manual.manual()
    assert page.count("\n.SH ") == len(COMMANDS) + 4
    if shutil.which("groff"):
        done = subprocess.run(
            ["groff", "-man", "-Tutf8", "-ww"], input=page, capture_output=True, text=True, check=True
        )
        assert "Time limit; 10 unless --iterations or --patience" in done.stdout.replace("\N{HYPHEN}", "-")
