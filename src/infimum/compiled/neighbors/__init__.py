"""Loops that search neighbours and sum over windows: k-d trees, tiles, graphs."""
