"""`SampleLoss`: a loss that sees the scores of a whole sample at once."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import numpy as np

from infimum.errors import DataError
from infimum.parameters import check_domains
from infimum.typing import Indices, Vector

__all__ = ["SampleLoss", "read_scores", "two_sides"]


class SampleLoss(ABC):
    """ℓ(y, f) of all targets and all scores together: no sum over samples.

    Such losses are convex and piecewise linear in f. Each gives its value and a
    subgradient, which is all that the bundle method asks for. Subclasses are frozen
    dataclasses.
    """

    __post_init__ = check_domains

    def value(self, y: Any, f: Any) -> float:
        """Return ℓ(y, f), one number."""
        return self.evaluate(y, f)[0]

    def derivative(self, y: Any, f: Any) -> Vector:
        """Return a subgradient in f."""
        return self.evaluate(y, f)[1]

    @abstractmethod
    def evaluate(self, y: Any, f: Any) -> tuple[float, Vector]:
        """Return the value and a subgradient at once."""


def read_scores(owner: str, f: Any, count: int | None = None) -> Vector:
    """Return finite scores as a vector of floats, or say what is wrong with them."""
    scores = np.asarray(f, dtype=np.float64)
    if scores.ndim != 1 or (count is not None and len(scores) != count):
        wanted = "a vector of scores" if count is None else f"{count} scores"
        raise DataError(f"{owner} needs {wanted}, got shape {scores.shape}.")
    if not np.isfinite(scores).all():
        raise DataError(f"{owner} needs finite scores.")
    return scores


def two_sides(scores: Vector, signed: Vector) -> tuple[float, Vector]:
    r"""Return Σ vᵢwⱼ max(0, 1 + lowᵢ - highⱼ) and its slopes, in one sort.

    Weights v of the low side are given as they are, those of the high side, w, as
    negative numbers. Every pair whose scores differ by less than 1 the right way round
    pays.
    """
    joined = scores + np.where(signed < 0.0, -0.5, 0.5)
    order: Indices = np.argsort(joined)
    sorted_weights = signed[order]
    mass, other = np.maximum(sorted_weights, 0.0), np.maximum(-sorted_weights, 0.0)
    after = mass.sum() - np.cumsum(mass)
    slopes = np.empty(len(joined))
    slopes[order] = mass * np.cumsum(other) - other * np.maximum(after, 0.0)
    return float(slopes @ joined), slopes
