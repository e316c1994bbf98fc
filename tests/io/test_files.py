"""Files are whole or absent, links and special files stay what they are, and killed runs leave nothing for long."""

import fcntl
import os
import signal
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from warptour.io.files import open_regular, whole_file, why_not_writable, write_atomic
from warptour.model.errors import OutputError

TOKEN = "0123456789abcdef"


def names(folder):
    return sorted(os.listdir(folder))


def test_a_link_planted_under_a_name_that_can_be_foreseen_is_not_followed(tmp_path):
    (tmp_path / "victim").write_text("untouched")
    (tmp_path / f".a.tour.{os.getpid()}.part").symlink_to("victim")
    write_atomic(tmp_path / "a.tour", [b"new"])
    assert (tmp_path / "victim").read_text() == "untouched"
    assert (tmp_path / "a.tour").read_bytes() == b"new"


def test_the_temporary_name_is_another_each_time(tmp_path):
    seen = set()
    for _ in range(3):
        with whole_file(tmp_path / "a.tour"):
            seen.update(names(tmp_path))
    assert len(seen - {"a.tour"}) == 3


def test_parts_that_nobody_holds_are_removed_and_others_stay(tmp_path):
    abandoned, held, other = (tmp_path / f".{name}.part" for name in (f"a.tour.{TOKEN}", f"a.tour.{TOKEN[::-1]}", "b"))
    for path in (abandoned, held, other):
        path.write_text("part")
    with open(held) as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        write_atomic(tmp_path / "a.tour", [b"new"])
    assert names(tmp_path) == sorted(["a.tour", held.name, other.name])
    write_atomic(tmp_path / "a.tour", [b"new"])
    assert names(tmp_path) == sorted(["a.tour", other.name])


def test_two_writers_at_once_leave_one_whole_file(tmp_path):
    with whole_file(tmp_path / "a") as one, whole_file(tmp_path / "a") as two:
        one.write(b"one")
        two.write(b"two")
    assert (tmp_path / "a").read_bytes() == b"one" and names(tmp_path) == ["a"]


KILLED = """
import os, signal, sys
from warptour.io.files import whole_file
with whole_file(sys.argv[1]) as file:
    file.write(b"half")
    file.flush()
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_what_a_killed_process_leaves_is_removed_by_the_next_one(tmp_path):
    path = tmp_path / "a.tour"
    path.write_text("old")
    done = subprocess.run([sys.executable, "-c", KILLED, str(path)], timeout=300)
    assert done.returncode == -signal.SIGKILL and path.read_text() == "old" and len(names(tmp_path)) == 2
    write_atomic(path, [b"new"])
    assert path.read_text() == "new" and names(tmp_path) == ["a.tour"]


def test_a_long_name_has_room_for_its_temporary_one(tmp_path):
    for name in ("x" * 255, "é" * 127):
        write_atomic(tmp_path / name, [b"new"])
        assert names(tmp_path) == [name]
        (tmp_path / name).unlink()


def test_the_file_has_the_mode_that_the_user_wants(tmp_path):
    before = os.umask(0o027)
    try:
        write_atomic(tmp_path / "a", [b"new"])
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == 0o640


def test_a_pipe_and_a_device_are_written_to(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    got = []
    reader = threading.Thread(target=lambda: got.append((tmp_path / "pipe").read_bytes()))
    reader.start()
    write_atomic(tmp_path / "pipe", [b"one ", b"two"])
    reader.join()
    assert got == [b"one two"] and (tmp_path / "pipe").is_fifo()
    (tmp_path / "null").symlink_to(os.devnull)
    write_atomic(tmp_path / "null", [b"new"])
    assert (tmp_path / "null").is_symlink() and Path(os.devnull).is_char_device()


def test_a_pipe_that_nobody_reads_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OutputError, match="nobody reads this pipe"), whole_file(tmp_path / "pipe", wait=False):
        pass


def test_a_link_that_leads_nowhere_yet_and_one_that_leads_to_itself(tmp_path):
    (tmp_path / "link").symlink_to("later")
    write_atomic(tmp_path / "link", [b"new"])
    assert (tmp_path / "link").is_symlink() and (tmp_path / "later").read_bytes() == b"new"
    (tmp_path / "loop").symlink_to("loop")
    with pytest.raises(OutputError, match="cannot write"):
        write_atomic(tmp_path / "loop", [b"new"])
    assert (tmp_path / "loop").is_symlink()


def test_what_cannot_be_written_is_known_before(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "astray").symlink_to(tmp_path / "none" / "a")
    for path in (tmp_path / "a", tmp_path / "pipe", Path(os.devnull)):
        assert why_not_writable(path) is None
    for path, reason in ((tmp_path, "folder"), (tmp_path / "none" / "a", "none"), (tmp_path / "astray", "none")):
        assert reason in (why_not_writable(path) or "")


def test_only_regular_files_are_opened(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", Path("/dev/zero"), tmp_path):
        with pytest.raises(OSError, match="not a regular file"):
            open_regular(path)
