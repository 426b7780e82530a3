"""The classes of ``hmmlearn.hmm``: the same names, parameters, attributes, calls."""

from __future__ import annotations

from typing import Any

import numpy as np

from infimum.data.doors import Sequences
from infimum.dropin.hmmlearn.base import AsHmmlearn, BaseHMM
from infimum.models import sequence
from infimum.typing import Matrix

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

    def _begin(self, given: Sequences, rng: Any) -> None:
        super()._begin(given, rng)
        self.n_features = np.shape(self.emissionprob_)[1]


class GaussianHMM(AsHmmlearn, sequence.GaussianHMM):
    """Hidden states that emit vectors of normal laws."""

    @property
    def covars_(self) -> Matrix:
        """The covariance matrix of each state."""
        return super().covars_

    @covars_.setter
    def covars_(self, given: Any) -> None:
        if self.covariance_type == "spherical" and np.size(given) == self.n_components:
            given = np.ravel(given)
        sequence.GaussianHMM.covars_.fset(self, given)  # type: ignore[attr-defined]


class GMMHMM(AsHmmlearn, sequence.GMMHMM):
    """Hidden states that emit mixtures of normal laws."""


class MultinomialHMM(AsHmmlearn, sequence.MultinomialHMM):
    """Hidden states that emit counts of several symbols."""


class PoissonHMM(AsHmmlearn, sequence.PoissonHMM):
    """Hidden states that emit counts."""
