"""Engines: a problem and its tours on a device, with the operations that run there."""
