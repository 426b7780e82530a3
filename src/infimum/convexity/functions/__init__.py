"""Concrete convex functions, one idea a file."""

from infimum.convexity.functions.affine import Affine
from infimum.convexity.functions.indicator import Indicator, SupportFunction
from infimum.convexity.functions.log_barrier import LogBarrier
from infimum.convexity.functions.log_sum_exp import LogSumExp
from infimum.convexity.functions.negative_entropy import NegativeEntropy
from infimum.convexity.functions.norm import Norm
from infimum.convexity.functions.oracle import Oracle
from infimum.convexity.functions.quadratic import Quadratic
from infimum.convexity.functions.softplus import BinaryEntropy, Softplus
from infimum.convexity.functions.squared_norm import SquaredNorm
from infimum.convexity.functions.unnormalized_entropy import (
    ExponentialSum,
    UnnormalizedEntropy,
)

__all__ = [
    "Affine",
    "BinaryEntropy",
    "ExponentialSum",
    "Indicator",
    "LogBarrier",
    "LogSumExp",
    "NegativeEntropy",
    "Norm",
    "Oracle",
    "Quadratic",
    "Softplus",
    "SquaredNorm",
    "SupportFunction",
    "UnnormalizedEntropy",
]
