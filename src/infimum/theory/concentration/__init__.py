"""Concentration: how far means stray, each inequality in three readings."""

from infimum.theory.concentration._concentration import Concentration
from infimum.theory.concentration.bernstein import Bernstein
from infimum.theory.concentration.chebyshev import Chebyshev, max_variance
from infimum.theory.concentration.exact_binomial import ExactBinomial
from infimum.theory.concentration.hoeffding import Hoeffding
from infimum.theory.concentration.markov import Markov
from infimum.theory.concentration.mcdiarmid import McDiarmid, bounded_differences
from infimum.theory.concentration.mean_path import (
    MeanPath,
    mean_path,
    round_at_random,
)
from infimum.theory.concentration.normal_approximation import NormalApproximation
from infimum.theory.concentration.union_bound import UnionBound

__all__ = [
    "Bernstein",
    "Chebyshev",
    "Concentration",
    "ExactBinomial",
    "Hoeffding",
    "Markov",
    "McDiarmid",
    "MeanPath",
    "NormalApproximation",
    "UnionBound",
    "bounded_differences",
    "max_variance",
    "mean_path",
    "round_at_random",
]
