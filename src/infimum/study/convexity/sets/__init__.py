"""Convex sets: membership, reach in a direction, nearest point."""

from infimum.study.convexity.sets.affine_set import AffineSet
from infimum.study.convexity.sets.ball import Ball
from infimum.study.convexity.sets.box import Box
from infimum.study.convexity.sets.convex_hull import ConvexHull, convex_combination
from infimum.study.convexity.sets.convex_set import ConvexSet
from infimum.study.convexity.sets.half_space import HalfSpace
from infimum.study.convexity.sets.intersection import Intersection
from infimum.study.convexity.sets.level_sets import BelowSet, Epigraph
from infimum.study.convexity.sets.linear_image import LinearImage
from infimum.study.convexity.sets.nuclear_ball import NuclearBall
from infimum.study.convexity.sets.simplex import Simplex

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
