"""Loops that grow boosted trees from histograms."""
