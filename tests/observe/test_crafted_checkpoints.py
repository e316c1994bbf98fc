"""Whatever claims to be a checkpoint is read in bounded memory and refused in one line; special files stay special."""

import json
import os
import resource
import zipfile

import numpy as np
import pytest

from warptour.model.errors import InputError
from warptour.model.metric import METRICS
from warptour.model.problem import TSP
from warptour.model.vehicles import VRP
from warptour.observe.checkpoint import Checkpoint, fingerprint, load_checkpoint
from warptour.observe.events import Improved, State

POINTS = np.random.default_rng(1).integers(0, 100, (12, 2))
TOUR = np.arange(12, dtype=np.int32)
TSP12 = TSP("twelve", METRICS["EUC_2D"], POINTS)
VRP12 = VRP("twelve", METRICS["EUC_2D"], POINTS, demands=np.array([0, *[1] * 11]), capacity=4)


def about(problem, **changes):
    facts = {"name": "twelve", "kind": problem.kind, "n": 12, "problem": fingerprint(problem), "cost": 1, "seed": 0}
    return facts | {"seconds": 1.0, "iterations": 1} | changes


def save(path, facts, order=TOUR, lengths=(12,), **options):
    text = facts if isinstance(facts, str) else json.dumps(facts)
    np.savez(path, order=order, lengths=np.asarray(lengths), about=np.array(text), **options)
    os.replace(f"{path}.npz", path)


def npy(header, data=b""):
    text = header.encode() + b" " * (-(len(header) + 11) % 64) + b"\n"
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text + data


def test_what_the_others_are_made_from_is_one(tmp_path):
    save(tmp_path / "a", about(TSP12))
    assert load_checkpoint(tmp_path / "a", TSP12).solution.tolist() == TOUR.tolist()
    save(tmp_path / "b", about(VRP12), order=TOUR[1:], lengths=(4, 4, 3))
    assert [len(route) for route in load_checkpoint(tmp_path / "b", VRP12).solution] == [4, 4, 3]


@pytest.mark.parametrize(
    "changes",
    [
        {"seed": "seven"},
        {"seed": None},
        {"seconds": "long"},
        {"seconds": "1.5"},
        {"seconds": -1},
        {"seconds": float("nan")},
        {"seconds": [1]},
        {"iterations": "many"},
        {"iterations": 1.5},
        {"iterations": -3},
    ],
    ids=str,
)
def test_words_for_numbers(tmp_path, changes):
    save(tmp_path / "a", about(TSP12, **changes))
    with pytest.raises(InputError, match="not a checkpoint"):
        load_checkpoint(tmp_path / "a", TSP12)


@pytest.mark.parametrize("text", ["", "[]", "7", '"a"', "null", "{}", "[" * 50_000, '{"a":' * 50_000, "9" * 50_000])
def test_json_that_tells_nothing(tmp_path, text):
    save(tmp_path / "a", text or " ")
    with pytest.raises(InputError, match="not a checkpoint"):
        load_checkpoint(tmp_path / "a", TSP12)


@pytest.mark.parametrize(
    ("order", "lengths"),
    [
        (TOUR.reshape(3, 4), (12,)),
        (np.int32(3), (12,)),
        (TOUR.astype(float), (12,)),
        (TOUR.astype(str), (12,)),
        (TOUR.astype(np.int64), (12,)),
        (TOUR, ((12,),)),
        (TOUR, (-4, 16)),
        (TOUR, (2**62, 2**62)),
        (TOUR, (12.0,)),
        (TOUR[:-1], (11,)),
        (TOUR + 1, (12,)),
        (-TOUR, (12,)),
        (np.full(12, 2**31 - 1, np.int32), (12,)),
        (np.zeros(12, np.int32), (12,)),
        (np.zeros(0, np.int32), ()),
    ],
    ids=repr,
)
@pytest.mark.parametrize("problem", [TSP12, VRP12], ids=["tsp", "vrp"])
def test_odd_shapes(tmp_path, problem, order, lengths):
    save(tmp_path / "a", about(problem), order, lengths)
    with pytest.raises(InputError) as caught:
        load_checkpoint(tmp_path / "a", problem)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "member",
    [
        npy("{'descr': '<i4', 'fortran_order': False, 'shape': (1000000000000,), }"),
        npy("{'descr': '|O', 'fortran_order': False, 'shape': (1,), }", b"\x80\x04N."),
        npy("{'descr': '<i4', 'shape': (12L,), 'fortran_order': False}", TOUR.tobytes()),
        npy("(" * 5000),
        npy("-" * 9000 + "1"),
        b"\x93NUMPY\x09\x00",
        b"",
    ],
    ids=lambda member: repr(member[10:50]),
)
@pytest.mark.filterwarnings("error")
def test_arrays_by_another_hand(tmp_path, member):
    save(tmp_path / "a", about(TSP12))
    with zipfile.ZipFile(tmp_path / "a") as good, zipfile.ZipFile(tmp_path / "b", "w") as bad:
        for name in good.namelist():
            bad.writestr(name, member if name == "order.npy" else good.read(name))
    if b"12L" in member:  # old Pythons wrote such numbers, and NumPy reads them
        assert load_checkpoint(tmp_path / "b", TSP12).solution.tolist() == TOUR.tolist()
        return
    with pytest.raises(InputError, match="not a checkpoint"):
        load_checkpoint(tmp_path / "b", TSP12)


def test_an_encrypted_archive(tmp_path):
    save(tmp_path / "a", about(TSP12))
    data = bytearray((tmp_path / "a").read_bytes())
    for mark, at in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        place = data.find(mark)
        while place >= 0:
            data[place + at] |= 1
            place = data.find(mark, place + 1)
    (tmp_path / "a").write_bytes(data)
    with pytest.raises(InputError, match="not a checkpoint"):
        load_checkpoint(tmp_path / "a", TSP12)


def bomb(path, compression, unpacked):
    """An archive that holds ``unpacked`` bytes of zeros where the tour should be."""
    header = npy(f"{{'descr': '<i4', 'fortran_order': False, 'shape': ({unpacked // 4},), }}")
    save(path, about(TSP12))
    with zipfile.ZipFile(path) as good:
        rest = {name: good.read(name) for name in good.namelist() if name != "order.npy"}
    with zipfile.ZipFile(path, "w", compression) as bad:
        for name, data in rest.items():
            bad.writestr(name, data)
        with bad.open("order.npy", "w") as member:
            member.write(header)
            for _ in range(unpacked >> 20):
                member.write(bytes(1 << 20))


@pytest.mark.parametrize("compression", [zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2])
def test_a_bomb_is_not_unpacked(tmp_path, compression):
    bomb(tmp_path / "a", compression, 100 << 20)
    assert (tmp_path / "a").stat().st_size < 1 << 20
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(InputError, match="not a checkpoint"):
        load_checkpoint(tmp_path / "a", TSP12)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 50_000  # kilobytes


def test_a_file_too_large_for_the_problem_is_not_read(tmp_path):
    save(tmp_path / "a", about(TSP12))
    with open(tmp_path / "a", "ab") as file:
        file.truncate(1 << 33)  # takes no room on the disk
    with pytest.raises(InputError, match="too large for a checkpoint of a problem with 12 nodes"):
        load_checkpoint(tmp_path / "a", TSP12)


def test_pipes_devices_and_folders_are_refused(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", "/dev/zero", tmp_path):
        with pytest.raises(InputError, match="not a checkpoint"):
            load_checkpoint(path, TSP12)


def test_saving_goes_through_a_link_and_into_a_device(tmp_path):
    (tmp_path / "link").symlink_to("real")
    (tmp_path / "null").symlink_to(os.devnull)
    for name in ("link", "null"):
        Checkpoint(tmp_path / name, TSP12)(Improved(State(0.0, 9, 1, 0), TOUR))
        assert (tmp_path / name).is_symlink()
    assert load_checkpoint(tmp_path / "real", TSP12).solution.tolist() == TOUR.tolist()
    assert not os.path.isfile(os.devnull)


def test_saving_into_a_pipe(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    keep = Checkpoint(tmp_path / "pipe", TSP12)
    with pytest.warns(RuntimeWarning, match="nobody reads this pipe"):
        keep(Improved(State(0.0, 9, 1, 0), TOUR))
    assert not keep.complete
    reader = os.open(tmp_path / "pipe", os.O_RDWR | os.O_NONBLOCK)  # a reader that meets no end, and waits for nothing
    try:
        keep.save(State(1.0, 9, 1, 0))
        (tmp_path / "copy").write_bytes(os.read(reader, 1 << 16))
    finally:
        os.close(reader)
    assert keep.complete and (tmp_path / "pipe").is_fifo()
    assert load_checkpoint(tmp_path / "copy", TSP12).solution.tolist() == TOUR.tolist()


def test_a_shortage_of_memory_is_a_warning(tmp_path, monkeypatch):
    def savez(*args, **kwargs):
        raise MemoryError

    keep = Checkpoint(tmp_path / "a", TSP12)
    monkeypatch.setattr(np, "savez", savez)
    with pytest.warns(RuntimeWarning, match="not enough memory"):
        keep(Improved(State(0.0, 9, 1, 0), TOUR))
    assert list(tmp_path.iterdir()) == [] and not keep.complete
