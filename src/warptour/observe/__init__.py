"""What a run tells the outside: events, the trace file, progress."""
