"""Operations that keep convexity, with their gradients, moduli and conjugates."""

from infimum.study.convexity.algebra.addition import Sum, add, subtract
from infimum.study.convexity.algebra.affine_composition import AffineComposition
from infimum.study.convexity.algebra.infimal_convolution import InfimalConvolution
from infimum.study.convexity.algebra.maximum import Maximum, conjugate_of_infimum
from infimum.study.convexity.algebra.monotone_composition import (
    EXPONENTIAL,
    NEGATIVE_LOGARITHM,
    POSITIVE_PART,
    RECIPROCAL,
    Concave,
    MonotoneComposition,
    ScalarFunction,
)
from infimum.study.convexity.algebra.scaling import Dilated, Scaled
from infimum.study.convexity.algebra.shifts import Raised, Tilted, Translated

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
