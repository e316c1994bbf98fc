"""Candidate sets: neighbour lists and spatial orders."""

from warptour.candidates.hilbert import hilbert_keys, space_order
from warptour.candidates.neighbours import neighbours

__all__ = ["hilbert_keys", "neighbours", "space_order"]
