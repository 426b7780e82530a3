"""The part of ``sklearn.kernel_approximation`` that Infimum offers: all of it."""

from infimum.dropin._others import theirs
from infimum.features import (
    AdditiveChi2Sampler,
    Nystroem,
    PolynomialCountSketch,
    RBFSampler,
    SkewedChi2Sampler,
)

__all__ = [
    "AdditiveChi2Sampler",
    "Nystroem",
    "PolynomialCountSketch",
    "RBFSampler",
    "SkewedChi2Sampler",
]

__getattr__ = theirs(__name__)
