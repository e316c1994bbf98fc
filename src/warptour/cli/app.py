"""The program: its commands, and its behaviour without one."""

from __future__ import annotations

from typing import Annotated

import typer

from warptour._version import __version__
from warptour.cli import bench, bound, check, demo, devices, example, fpga, generate, info, plot, reproduce, solve, view

app = typer.Typer(
    help="Short tours and cheap vehicle routes by local search.",
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for command in (
    solve.solve,
    bound.bound,
    check.check,
    generate.generate,
    info.info,
    plot.plot,
    view.view,
    devices.devices,
    bench.bench,
    reproduce.reproduce,
    fpga.fpga,
    example.example,
    demo.demo,
):
    app.command()(command)


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"warptour {__version__}")
        raise typer.Exit


@app.callback()
def warptour(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Short tours and cheap vehicle routes by local search."""
