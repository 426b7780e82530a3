"""The part of ``sklearn.kernel_approximation`` that Infimum offers, under its names."""

from infimum.features import Nystroem, PolynomialCountSketch, RBFSampler

__all__ = ["Nystroem", "PolynomialCountSketch", "RBFSampler"]
