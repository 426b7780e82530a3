"""Multidimensional scaling: points from distances or comparisons."""
