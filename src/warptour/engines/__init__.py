"""Engines: a problem and a batch of tours on a device, and what can be done to them there."""
