"""Operations that keep convexity, with their gradients, moduli and conjugates."""

from infimum.convexity.algebra.addition import Sum, add, subtract
from infimum.convexity.algebra.affine_composition import AffineComposition
from infimum.convexity.algebra.infimal_convolution import InfimalConvolution
from infimum.convexity.algebra.maximum import Maximum, conjugate_of_infimum
from infimum.convexity.algebra.monotone_composition import (
    EXPONENTIAL,
    NEGATIVE_LOGARITHM,
    POSITIVE_PART,
    RECIPROCAL,
    Concave,
    MonotoneComposition,
    ScalarFunction,
)
from infimum.convexity.algebra.scaling import Dilated, Scaled
from infimum.convexity.algebra.shifts import Raised, Tilted, Translated

__all__ = [
    "EXPONENTIAL",
    "NEGATIVE_LOGARITHM",
    "POSITIVE_PART",
    "RECIPROCAL",
    "AffineComposition",
    "Concave",
    "Dilated",
    "InfimalConvolution",
    "Maximum",
    "MonotoneComposition",
    "Raised",
    "ScalarFunction",
    "Scaled",
    "Sum",
    "Tilted",
    "Translated",
    "add",
    "conjugate_of_infimum",
    "subtract",
]
