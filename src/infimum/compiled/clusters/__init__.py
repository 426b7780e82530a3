"""Loops of clusterings: centres, mixtures, linkage, trees of densities."""
