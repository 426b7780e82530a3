"""Networks whose error or optimum is known: one input, one hidden layer."""

from infimum.study.networks.approximation import Approximation, approximate
from infimum.study.networks.convex_relu_regressor import ConvexReluRegressor

__all__ = ["Approximation", "ConvexReluRegressor", "approximate"]
