"""Convex sets: membership, reach in a direction, nearest point."""

from infimum.convexity.sets.affine_set import AffineSet
from infimum.convexity.sets.ball import Ball
from infimum.convexity.sets.box import Box
from infimum.convexity.sets.convex_hull import ConvexHull, convex_combination
from infimum.convexity.sets.convex_set import ConvexSet
from infimum.convexity.sets.half_space import HalfSpace
from infimum.convexity.sets.intersection import Intersection
from infimum.convexity.sets.level_sets import BelowSet, Epigraph
from infimum.convexity.sets.linear_image import LinearImage
from infimum.convexity.sets.nuclear_ball import NuclearBall
from infimum.convexity.sets.simplex import Simplex

__all__ = [
    "AffineSet",
    "Ball",
    "BelowSet",
    "Box",
    "ConvexHull",
    "ConvexSet",
    "Epigraph",
    "HalfSpace",
    "Intersection",
    "LinearImage",
    "NuclearBall",
    "Simplex",
    "convex_combination",
]
