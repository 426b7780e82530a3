"""Base of detectors that flag a given share of the samples by their scores."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, OutlierMixin

from infimum.data.doors import rows, samples
from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.parameters import Domains, Interval, check_parameters
from infimum.typing import Matrix, Vector

__all__ = ["LevelDetector", "level_of"]


class LevelDetector(OutlierMixin, BaseEstimator, ABC):  # type: ignore[misc]
    """A score of familiarity, and the level that a share of the samples is below."""

    _domains: ClassVar[Domains] = {"contamination": Interval(0, 0.5)}

    contamination: Any

    @abstractmethod
    def _learn(self, X: Matrix, weights: Vector) -> Vector:
        """Learn from the samples, and return their scores."""

    @abstractmethod
    def _scores(self, X: Matrix) -> Vector:
        """Return the score of each sample; the higher, the more familiar."""

    @whole_or_not_at_all
    def _fit(self, X: Any, sample_weight: Any = None) -> Self:
        check_parameters(self)
        rule: Any = {"accept_sparse": False, "ensure_min_samples": 2}
        found = rows(self, X, sample_weight, moderate=True, **rule)
        X, weights = found.X, found.shares()
        scores = self._learn(X, weights)
        self.offset_ = level_of(scores, weights, float(self.contamination))
        return self

    def score_samples(self, X: Any) -> Vector:
        """Return the score of each sample; the higher, the more familiar."""
        X = samples(self, X, moderate=True, accept_sparse=False)
        return self._scores(X)

    def decision_function(self, X: Any) -> Vector:
        """Return the score above the level; what is negative is new."""
        return np.asarray(self.score_samples(X) - self.offset_)

    def predict(self, X: Any) -> NDArray[np.intp]:
        """Return 1 for the familiar and -1 for the new."""
        return np.where(self.decision_function(X) >= 0, 1, -1)


def level_of(scores: Vector, weights: Vector, share: float) -> float:
    """Return the level below which a share of the weight lies."""
    order = np.argsort(scores, kind="stable")
    mass = np.cumsum(weights[order])
    outside = int(np.searchsorted(mass, share * mass[-1] * (1 + 1e-12), side="right"))
    border = float(scores[order[outside]])
    # So little lower that no rounding flags the sample on the border.
    return border - 1e-9 * abs(border)
