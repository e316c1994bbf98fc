"""Figure 20: the GPU against the CPU."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from warptour.bench import Options, Row
from warptour.papers.exhibit import Exhibit, Plot
from warptour.papers.mavroidis.engine.forms import Form
from warptour.papers.mavroidis.exhibits.annealing import descent, instances
from warptour.strategies.self_check import sound_device

FORMS: Final[dict[str, Form]] = {"blocks": "blocks", "one group": "group"}


def measure(options: Options) -> Iterator[Row]:
    """Yield how many times faster the descent of each instance is than one group on one core, for both forms.

    Without a GPU, for blocks alone, which a core walks through one by one.
    """
    device, _ = sound_device(options.device, options.threads)
    gpu = device.about().kind == "gpu"
    core, _ = sound_device("cpu", 1)
    for problem, printed in instances(options):
        alone = descent(core, problem)[0]
        for what, form in FORMS.items():
            if gpu or form == "blocks":
                ratio = alone / descent(device, problem, form)[0]
                peer = printed.cpu_ms / printed.gpu_ms if printed and gpu else None
                yield Row("mavroidis", f"{problem.name}, {what}", problem.n, device.name, ratio, "times", peer=peer)


def lines(rows: list[Row]) -> dict[str, list[tuple[float, float]]]:
    """Return the ratios over the number of cities."""
    ours: dict[str, list[tuple[float, float]]] = {
        form: [(row.n, row.value) for row in rows if row.case.endswith(form)] for form in FORMS
    }
    return ours | {"Mavroidis (2011)": [(row.n, row.peer) for row in rows if row.peer is not None]}


EXHIBIT: Final = Exhibit(
    "figure-20",
    "Figure 20: speed-up of a descent over one core of the CPU, a tour in blocks and in one group",
    "His GPU is a GTX 280 and his CPU a Pentium at 3 GHz; the paper's ratios are computed from his table, and his form "
    "is blocks. Ours are over our form on one core of this machine; without a GPU they say what blocks cost there.",
    measure,
    (
        Plot(
            "symmetric_gpu",
            "cities",
            "times as fast",
            "a descent over one core",
            lines,
            log_x=True,
            log_y=True,
            joined=False,
        ),
    ),
)
