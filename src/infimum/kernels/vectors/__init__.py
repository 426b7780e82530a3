"""Kernels on vectors: rows of dense or sparse matrices."""

from typing import TYPE_CHECKING

from infimum.lazy import load_on_demand

if TYPE_CHECKING:
    from infimum.kernels.vectors._rows import VectorKernel
    from infimum.kernels.vectors.additive_chi_squared import AdditiveChiSquared
    from infimum.kernels.vectors.b_spline import BSpline
    from infimum.kernels.vectors.cosine import Cosine
    from infimum.kernels.vectors.exponential import Exponential
    from infimum.kernels.vectors.exponential_chi_squared import ExponentialChiSquared
    from infimum.kernels.vectors.gaussian import Gaussian
    from infimum.kernels.vectors.hamming import Hamming
    from infimum.kernels.vectors.histogram_intersection import HistogramIntersection
    from infimum.kernels.vectors.laplacian import Laplacian
    from infimum.kernels.vectors.linear import Linear
    from infimum.kernels.vectors.matern import Matern
    from infimum.kernels.vectors.polynomial import Polynomial
    from infimum.kernels.vectors.rational_quadratic import RationalQuadratic
    from infimum.kernels.vectors.sigmoid import Sigmoid
    from infimum.kernels.vectors.skewed_chi_squared import SkewedChiSquared


__all__ = [
    "AdditiveChiSquared",
    "BSpline",
    "Cosine",
    "Exponential",
    "ExponentialChiSquared",
    "Gaussian",
    "Hamming",
    "HistogramIntersection",
    "Laplacian",
    "Linear",
    "Matern",
    "Polynomial",
    "RationalQuadratic",
    "Sigmoid",
    "SkewedChiSquared",
    "VectorKernel",
]

if not TYPE_CHECKING:
    __getattr__ = load_on_demand(__name__)
