"""Observation of a search: events, traces, checkpoints, progress display, interrupts and pictures."""
