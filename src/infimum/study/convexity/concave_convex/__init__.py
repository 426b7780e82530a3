"""Differences of convex functions and the procedure that descends them."""

from infimum.study.convexity.concave_convex.constrained import ConstrainedConcaveConvex
from infimum.study.convexity.concave_convex.difference import (
    DifferenceOfConvex,
    split_by_curvature,
)
from infimum.study.convexity.concave_convex.mixture import GaussianMixtureLikelihood
from infimum.study.convexity.concave_convex.procedure import ConcaveConvexProcedure

__all__ = [
    "ConcaveConvexProcedure",
    "ConstrainedConcaveConvex",
    "DifferenceOfConvex",
    "GaussianMixtureLikelihood",
    "split_by_curvature",
]
