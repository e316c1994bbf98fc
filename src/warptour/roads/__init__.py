"""Roads: driving times and distances from an OpenStreetMap extract, without a server."""

from warptour.roads.tables import RoadTable, matrix

__all__ = ["RoadTable", "matrix"]
