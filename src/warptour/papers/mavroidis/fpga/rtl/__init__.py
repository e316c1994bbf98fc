"""The symmetric 2-opt machine of Mavroidis (2011, chapter 5) at register-transfer level, in Amaranth.

``design.py`` has the parameters and the cycles; a unit is a file each, ``top.py`` wires them; ``simulate.py`` runs
them, ``verilog.py`` and ``bench.py`` write them, ``synthesis.py`` places and routes them.
"""

from warptour.papers.mavroidis.fpga.rtl.bench import emulator, write_bench
from warptour.papers.mavroidis.fpga.rtl.cities import exceeds, integer_cities
from warptour.papers.mavroidis.fpga.rtl.design import Design, Roots
from warptour.papers.mavroidis.fpga.rtl.simulate import simulate
from warptour.papers.mavroidis.fpga.rtl.synthesis import Placed, place
from warptour.papers.mavroidis.fpga.rtl.verilog import write_verilog

__all__ = [
    "Design",
    "Placed",
    "Roots",
    "emulator",
    "exceeds",
    "integer_cities",
    "place",
    "simulate",
    "write_bench",
    "write_verilog",
]
