"""Concrete convex functions, one idea a file."""

from infimum.study.convexity.functions.affine import Affine
from infimum.study.convexity.functions.indicator import Indicator, SupportFunction
from infimum.study.convexity.functions.log_barrier import LogBarrier
from infimum.study.convexity.functions.log_sum_exp import LogSumExp
from infimum.study.convexity.functions.negative_entropy import NegativeEntropy
from infimum.study.convexity.functions.norm import Norm
from infimum.study.convexity.functions.oracle import Oracle
from infimum.study.convexity.functions.quadratic import Quadratic
from infimum.study.convexity.functions.softplus import BinaryEntropy, Softplus
from infimum.study.convexity.functions.squared_norm import SquaredNorm
from infimum.study.convexity.functions.unnormalized_entropy import (
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
