"""Networks whose error, optimum or way of descent is known: one hidden layer."""

from infimum.study.networks.alternating_descent import (
    AlternatingDescent,
    alternating_descent,
)
from infimum.study.networks.approximation import Approximation, approximate
from infimum.study.networks.convex_relu_regressor import ConvexReluRegressor

__all__ = [
    "AlternatingDescent",
    "Approximation",
    "ConvexReluRegressor",
    "alternating_descent",
    "approximate",
]
