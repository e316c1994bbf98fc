"""Tables and figures of papers, measured again: ``warptour reproduce PAPER``."""
