"""Coordinate descent: columns in use, models of the risk, screening."""
