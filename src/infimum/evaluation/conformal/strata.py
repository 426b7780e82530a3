"""Thresholds, one for all rows or one a group (Mondrian), and the rows set aside."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from infimum.errors import DataError
from infimum.evaluation.conformal.rank import conformal_threshold, weighted_threshold
from infimum.evaluation.folds import Split
from infimum.parameters import check_domain, opened, positive
from infimum.typing import Indices, Vector

__all__ = ["Strata", "apart", "group_names", "take"]


@dataclass(frozen=True, eq=False)
class Strata:
    """The calibration scores, kept by group; every group has its own threshold.

    Attributes
    ----------
    scores : dict from group to ndarray
        Sorted; the only group is 0 where none were given.
    grouped : bool
        Whether groups were given.
    weights : dict from group to ndarray, or None
        For how many rows each score stands, in the order of the scores.
    heaviest : float
        What a new row weighs at most.
    """

    scores: dict[Any, Vector]
    grouped: bool
    weights: dict[Any, Vector] | None = None
    heaviest: float = 1.0

    @classmethod
    def of(
        cls,
        scores: Vector,
        groups: ArrayLike | None,
        weights: ArrayLike | None = None,
        heaviest: float | None = None,
    ) -> "Strata":
        """Sort the scores of calibration rows, by group if groups are given."""
        if not np.isfinite(scores).all():
            raise DataError("Calibration gave scores that are not finite numbers.")
        names = group_names(groups, len(scores))
        orders = {
            name.item(): np.flatnonzero(names == name)[
                np.argsort(scores[names == name], kind="stable")
            ]
            for name in np.unique(names)
        }
        kept = {name: scores[order] for name, order in orders.items()}
        if weights is None:
            return cls(kept, groups is not None)
        counts = _weights(weights, len(scores))
        most = float(counts.max()) if heaviest is None else float(heaviest)
        check_domain("The heaviest weight of a row", most, positive)
        counts = np.minimum(counts, most)
        shares = {name: counts[order] for name, order in orders.items()}
        return cls(kept, groups is not None, shares, most)

    def thresholds(self, coverage: float, groups: ArrayLike | None, n: int) -> Vector:
        """Return the threshold of each of n rows; infinite where a group is unknown."""
        if (groups is not None) != self.grouped:
            given = "without" if self.grouped else "with"
            raise DataError(
                f"Groups must be given to calibration and prediction alike; "
                f"prediction was asked {given} them."
            )
        limits = {name: self._threshold(name, coverage) for name in self.scores}
        names = group_names(groups, n)
        return np.array([limits.get(name, np.inf) for name in names.tolist()])

    def _threshold(self, name: Any, coverage: float) -> float:
        if self.weights is None:
            return conformal_threshold(self.scores[name], coverage)
        return weighted_threshold(
            self.scores[name], self.weights[name], coverage, self.heaviest
        )

    @property
    def sizes(self) -> dict[Any, int]:
        """How many calibration rows each group has."""
        return {name: len(scores) for name, scores in self.scores.items()}


def apart(n: int, fraction: float, seed: int) -> Split:
    """Set a share of n rows aside for calibration, exchangeable with all others.

    The draw is not stratified: that would break the exchangeability that is promised.
    """
    check_domain("The share of calibration rows", fraction, opened(0, 1))
    size = min(max(1, round(fraction * n)), n - 1)
    if size < 1:
        raise DataError(f"Calibration needs at least 2 rows, got {n}.")
    order = np.random.default_rng(seed).permutation(n)
    return Split(np.sort(order[size:]), np.sort(order[:size]))


def take(X: Any, rows: Indices | Sequence[int]) -> Any:
    """Return some rows of an array, sparse matrix or data frame."""
    if hasattr(X, "iloc"):
        return X.iloc[rows]
    return X[rows] if hasattr(X, "shape") else np.asarray(X)[rows]


def group_names(groups: ArrayLike | None, n: int) -> NDArray[Any]:
    """Return the group of each of n rows; 0 for all where none are given."""
    if groups is None:
        return np.zeros(n, dtype=np.intp)
    names = np.asarray(groups)
    if names.shape != (n,):
        raise DataError(f"groups must have one entry a row, {n}, got {names.shape}.")
    return names.astype(str) if names.dtype == object else names


def _weights(weights: ArrayLike, n: int) -> Vector:
    counts = np.asarray(weights, dtype=np.float64)
    if counts.shape != (n,) or not np.all((counts >= 0) & np.isfinite(counts)):
        raise DataError(
            "Calibration needs one weight a row, finite and not below 0; got shape "
            f"{counts.shape} for {n} rows."
        )
    return counts
