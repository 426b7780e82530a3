"""Loops of optimisers: passes over coordinates, over samples, over streams."""
