"""Compiled kernels are kept where only their user can write."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from warptour.devices.caches import keep_caches_private

NAMES = ("HOME", "XDG_CACHE_HOME", "CUPY_CACHE_DIR", "POCL_CACHE_DIR")


def chosen(monkeypatch: pytest.MonkeyPatch, **environment: str) -> dict[str, str]:
    """What the choice adds to an environment of these variables."""
    for name in NAMES:
        monkeypatch.setenv(name, "")  # so that monkeypatch restores what the choice sets
        monkeypatch.delenv(name)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    keep_caches_private.__wrapped__()
    return {name: os.environ[name] for name in NAMES if name in os.environ and name not in environment}


def test_a_home_is_left_to_the_libraries(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert chosen(monkeypatch, HOME=str(tmp_path)) == {}


def test_without_a_home_the_list_of_users_has_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("pwd.getpwuid", lambda user: type("entry", (), {"pw_dir": str(tmp_path)}))
    cache = f"{tmp_path}/.cache"
    assert chosen(monkeypatch) == {"XDG_CACHE_HOME": cache, "CUPY_CACHE_DIR": f"{cache}/cupy"}


@pytest.mark.parametrize("home", [None, "/dev/null", "relative"])
def test_a_user_without_a_home_gets_a_folder_of_their_own(monkeypatch: pytest.MonkeyPatch, home: str | None) -> None:
    removed: list[str] = []
    monkeypatch.setattr("atexit.register", lambda remove, folder, **how: removed.append(folder))

    def nobody(user: int) -> None:
        raise KeyError(user)

    monkeypatch.setattr("pwd.getpwuid", nobody)
    folder = chosen(monkeypatch, **({} if home is None else {"HOME": home}))["XDG_CACHE_HOME"]
    assert removed == [folder]
    assert stat.S_IMODE(os.stat(folder).st_mode) == 0o700
    os.rmdir(folder)


@pytest.mark.usefixtures("opencl")
@pytest.mark.compiles
def test_a_quiet_run_on_opencl_says_nothing_and_fills_the_users_cache(tmp_path: Path) -> None:
    """PoCL counted the compiler's warnings on standard error, and without HOME kept kernels in /tmp/pocl."""
    environment = {name: value for name, value in os.environ.items() if name not in NAMES} | {
        "XDG_CACHE_HOME": str(tmp_path / "cache")
    }
    command = [sys.executable, "-m", "warptour", "solve", "uniform:60:1", "--iterations", "1", "-q"]
    done = subprocess.run(
        [*command, "--device", "opencl", "-o", "a.tour"], cwd=tmp_path, env=environment, capture_output=True, text=True
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert list((tmp_path / "cache").iterdir()), "compiled here, not found compiled elsewhere"
