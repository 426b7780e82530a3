"""Hypothesis classes: sets of labelling functions that can be searched and counted."""

from infimum.theory.classes._hypothesis_class import HypothesisClass, Minimum
from infimum.theory.classes.discs import Discs
from infimum.theory.classes.finite_class import FiniteClass
from infimum.theory.classes.half_spaces import HalfSpaces, MarginHalfSpaces
from infimum.theory.classes.histograms import Histograms
from infimum.theory.classes.intervals import Intervals
from infimum.theory.classes.polygons import Polygons
from infimum.theory.classes.rectangles import Rectangles
from infimum.theory.classes.sine_waves import SineWaves
from infimum.theory.classes.stumps import Stumps
from infimum.theory.classes.thresholds import HalfPlanesAbove, Thresholds

__all__ = [
    "Discs",
    "FiniteClass",
    "HalfPlanesAbove",
    "HalfSpaces",
    "Histograms",
    "HypothesisClass",
    "Intervals",
    "MarginHalfSpaces",
    "Minimum",
    "Polygons",
    "Rectangles",
    "SineWaves",
    "Stumps",
    "Thresholds",
]
