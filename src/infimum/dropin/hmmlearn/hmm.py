"""The classes of ``hmmlearn.hmm``: the same names, parameters, attributes, calls."""

from __future__ import annotations

from infimum.dropin.hmmlearn.base import AsHmmlearn, BaseHMM
from infimum.models import sequence

__all__ = [
    "GMMHMM",
    "BaseHMM",
    "CategoricalHMM",
    "GaussianHMM",
    "MultinomialHMM",
    "PoissonHMM",
]


class CategoricalHMM(AsHmmlearn, sequence.CategoricalHMM):
    """Hidden states that emit symbols."""


class GaussianHMM(AsHmmlearn, sequence.GaussianHMM):
    """Hidden states that emit vectors of normal laws."""


class GMMHMM(AsHmmlearn, sequence.GMMHMM):
    """Hidden states that emit mixtures of normal laws."""


class MultinomialHMM(AsHmmlearn, sequence.MultinomialHMM):
    """Hidden states that emit counts of several symbols."""


class PoissonHMM(AsHmmlearn, sequence.PoissonHMM):
    """Hidden states that emit counts."""
