"""Devices: find them, allocate, copy, sort, scan, build, launch, time. Nothing here knows of routing."""

from warptour.devices.device import About, Array, Device, DeviceError, Elapsed, Program
from warptour.devices.find import candidates, find, present

__all__ = ["About", "Array", "Device", "DeviceError", "Elapsed", "Program", "candidates", "find", "present"]
