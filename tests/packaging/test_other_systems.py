"""What Windows lacks is used only where it exists."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

MODULES = "fcntl grp posix pty pwd resource syslog termios tty".split()
NAMES = {
    "os": "O_DIRECTORY O_NOCTTY O_NOFOLLOW O_NONBLOCK O_SYNC WNOHANG chown chroot confstr ctermid fchmod fchown"
    " fdatasync fork forkpty fpathconf getegid geteuid getgid getgroups getloadavg getpgid getpgrp getpriority getsid"
    " getuid initgroups kill killpg lchown lockf mkfifo mknod nice openpty pathconf pipe2 posix_fadvise"
    " posix_fallocate posix_spawn posix_spawnp pread preadv pwrite pwritev readv sched_getaffinity sched_setaffinity"
    " sched_yield sendfile set_blocking setgid setpgid setpriority setsid setuid statvfs sync sysconf tcgetpgrp"
    " ttyname uname wait wait3 wait4 waitpid writev",
    "signal": "SIGALRM SIGCHLD SIGCONT SIGHUP SIGKILL SIGPIPE SIGQUIT SIGSTOP SIGTSTP SIGTTIN SIGTTOU SIGUSR1 SIGUSR2"
    " SIGWINCH alarm getitimer pause pthread_kill pthread_sigmask setitimer siginterrupt sigpending sigwait",
    "time": "clock_getres clock_gettime clock_settime pthread_getcpuclockid tzset",
    "select": "epoll poll",
    "socket": "AF_UNIX socketpair",
}
"""Names of POSIX that Python has no counterpart of on Windows; os.kill it has, for other purposes."""

KEPT = "WNOHANG pipe2 set_blocking uname waitpid".split()
"""Names that the standard library itself uses on this system."""

GUARDED = {
    "compare/process.py: os.WNOHANG",  # where there is wait4
    "observe/child.py: signal.SIGKILL",  # where there is killpg
    "web/leash.py: os.getpgrp",  # where there is killpg
    "web/leash.py: os.kill",  # not on Windows
    "web/leash.py: signal.SIGKILL",
    "tours/starts/match_edges.py: signal.SIGKILL",  # an AttributeError is suppressed
    "routes/engine/partition_routes.py: signal.SIGKILL",
    "devices/caches.py: os.getuid",  # on POSIX only
    "io/files.py: os.O_NOFOLLOW",  # where there is fcntl
    "io/files.py: os.set_blocking",  # where there is O_NONBLOCK
}

PREAMBLE = f"""
import sys, os, signal, time, select, socket, asyncio
import subprocess, tempfile, numpy, rich.console, rich.progress
for module, names in {NAMES!r}.items():
    for name in set(names.split()) - set({KEPT!r}):
        vars(sys.modules[module]).pop(name, None)
for module in {MODULES!r}:
    sys.modules[module] = None
"""


def run(code: str, folder: Path, root: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(root / "src")}
    command = [sys.executable, "-c", PREAMBLE + code]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def test_the_demo_runs_without_the_names_that_windows_lacks(tmp_path: Path, root: Path) -> None:
    done = run("from warptour.__main__ import main; main(['demo', '--seconds', '1'])", tmp_path, root)
    assert done.returncode == 0, done.stderr
    assert "1,000 cities" in done.stdout


def test_files_are_written_and_read_without_them(tmp_path: Path, root: Path) -> None:
    (tmp_path / ".best.tour.0123456789abcdef.part").touch()
    words = [
        "solve",
        "uniform:50:1",
        "--iterations",
        "50",
        "-o",
        "best.tour",
        "--trace",
        "trace.jsonl",
        "--threads",
        "2",
    ]
    done = run(f"from warptour.__main__ import main; main({words!r})", tmp_path, root)
    assert done.returncode == 0, done.stderr
    assert {path.name for path in tmp_path.iterdir()} == {"best.tour", "trace.jsonl"}


def test_every_module_is_imported_without_them(tmp_path: Path, root: Path) -> None:
    code = """
import importlib, pkgutil, warptour
optional = "cupy pyopencl mpi4py ray".split()
for module in pkgutil.walk_packages(warptour.__path__, "warptour."):
    if module.name != "warptour.__main__":
        try:
            importlib.import_module(module.name)
        except ModuleNotFoundError as error:
            assert error.name.partition(".")[0] in optional, module.name
print("imported")
"""
    done = run(code, tmp_path, root)
    assert done.stdout.strip() == "imported", done.stderr


def test_they_are_looked_for_before_they_are_used(root: Path) -> None:
    lacking = {(module, name) for module, names in NAMES.items() for name in names.split()}
    unguarded = set()
    for path in (root / "src").rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        used = {
            (node.value.id, node.attr)
            for node in ast.walk(ast.parse(text))
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
        }
        unguarded |= {
            f"{path.relative_to(root / 'src' / 'warptour')}: {module}.{name}"
            for module, name in used & lacking
            if f'hasattr({module}, "{name}")' not in text
        }
    assert sorted(unguarded - GUARDED) == []
