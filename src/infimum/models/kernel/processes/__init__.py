"""Gaussian processes: regression, classification, evidence, and large systems."""
