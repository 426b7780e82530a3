"""Mixtures of Gaussians, fitted by EM, with and without a prior."""
