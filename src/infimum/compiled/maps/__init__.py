"""Loops of neighbour maps and of scaling."""
