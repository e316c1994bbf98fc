"""``warptour serve``: plans over HTTP."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from warptour.cli.declare import Context, Only
from warptour.cli.options import Device
from warptour.io.options import TravelOptions
from warptour.model.errors import UsageError
from warptour.model.option import Option
from warptour.service.limits import ServiceLimits


def serve(
    context: Context,
    host: Annotated[str, Option("Address to listen on; one beyond this machine needs a token.")] = "127.0.0.1",
    port: Annotated[int, Option("Where to listen; 0 is any port that is free.")] = 3000,
    folder: Annotated[
        str, Option("Of the jobs; a service that begins there again goes on with them.", metavar="FOLDER")
    ] = "warptour-jobs",
    token_file: Annotated[
        str | None, Option("Has the token that requests bear; or the variable WARPTOUR_TOKEN.", metavar="FILE")
    ] = None,
    device: Device = "cpu",
    cluster: Annotated[str | None, Option("Where jobs search: local:4 or ray:ADDRESS.", metavar="WHERE")] = None,
    *,
    limits: ServiceLimits,
    travel: Annotated[TravelOptions, Only("speed roads profile snap osrm valhalla")],
) -> int:
    """Answer VROOM's JSON over HTTP, each plan in a process of its own."""
    from warptour.cluster.links.open import split
    from warptour.cluster.links.ray import check_ray
    from warptour.service.serve import serve as serve_jobs  # asyncio and the like would slow the start of every command
    from warptour.service.serve import token_from

    if cluster is not None:
        kind, place = split(cluster)
        if kind == "mpi" or cluster == "ray":  # a Ray of each job's own would take longer than most jobs
            raise UsageError(f"--cluster of a service is local:N or ray:ADDRESS, not {cluster}")
        if kind == "ray":
            check_ray(place)
    travel.check_roads("speed")
    words = ["--device", device, "--threads", str(limits.threads)]
    words += [] if cluster is None else ["--cluster", cluster]
    for name in ("speed", "roads", "profile", "snap", "osrm", "valhalla"):
        value = getattr(travel, name)
        if value is not None:
            words += [f"--{name}", str(_absolute(value) if name in ("roads", "profile") else value)]
    token = token_from(token_file, host)
    serve_jobs(Path(folder).absolute(), host, port, token, limits, words, context.interrupt.redirect)
    return 0


def _absolute(name: object) -> object:
    """Return the path of a file, as jobs have folders of their own; other words stay."""
    path = Path(str(name))
    return path.absolute() if path.exists() else name
