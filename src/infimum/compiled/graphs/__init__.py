"""Loops over the vertices and edges of graphs."""
