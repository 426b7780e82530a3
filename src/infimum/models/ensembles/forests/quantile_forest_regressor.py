"""Quantile regression by a forest, from the distribution of targets in its leaves."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from scipy import sparse

from infimum.errors import InvalidParameterError
from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.models.ensembles.forests._forest import forest_of
from infimum.models.ensembles.forests._forest_questions import leaf_table
from infimum.models.ensembles.forests.random_forest_regressor import (
    RandomForestRegressor,
)
from infimum.models.trees._tree_door import Admitted, accept_rows
from infimum.typing import Indices, Matrix, Vector

__all__ = ["QuantileForestRegressor"]

#: Weights held at a time: queries × training rows.
BLOCK = 2**22


class QuantileForestRegressor(RandomForestRegressor):
    """Regressor that tells quantiles: how large y is at most, with given certainty.

    A random forest weighs the training rows by how often they share a leaf with x;
    the quantiles are those of the weighed targets (Meinshausen 2006).

    Parameters
    ----------
    n_estimators, criterion, max_depth, ... :
        As in `RandomForestRegressor`.
    quantile : float, default=0.5
        What `predict` tells unless it is asked for others.

    Attributes
    ----------
    targets_ : ndarray of n_samples
        The training targets.
    trees_, feature_importances_, n_features_in_ : as in `RandomForestRegressor`

    Examples
    --------
    >>> import numpy as np
    >>> X = np.arange(100.0)[:, None]
    >>> model = QuantileForestRegressor(20, min_samples_leaf=10, random_state=0)
    >>> low, high = model.fit(X, X[:, 0]).predict([[50.0]], quantiles=[0.1, 0.9])[0]
    >>> bool(30 < low < 50 < high < 70)
    True
    """

    @whole_or_not_at_all
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Grow the trees and keep the targets of their leaves; return self."""
        super().fit(X, y, sample_weight)
        return self

    def _admit(self, X: Any, y: Any, sample_weight: Any) -> Admitted:
        rows = super()._admit(X, y, sample_weight)
        if self.n_outputs_ > 1:
            raise InvalidParameterError(
                f"{type(self).__name__} predicts one target, got {self.n_outputs_} "
                "outputs."
            )
        self.targets_ = rows.aim.target.numbers[:, 0] + rows.aim.shift[0]
        return rows

    def _grow(self, rows: Admitted, seeds: Any) -> Any:
        trees = super()._grow(rows, seeds)
        self._rows, self._weight = rows.X, rows.weight
        return trees

    def predict(self, X: Any, quantiles: Any = None) -> Matrix:
        """Return quantiles of the target given each row.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
        quantiles : float or sequence of float, optional
            Levels in [0, 1]; that of the constructor unless given.

        Returns
        -------
        ndarray of shape (n_samples,) or, for a sequence, (n_samples, n_quantiles)
        """
        X = accept_rows(self, X)
        levels = np.atleast_1d(self.quantile if quantiles is None else quantiles)
        if not ((levels >= 0.0) & (levels <= 1.0)).all():
            raise InvalidParameterError(
                f"{type(self).__name__}.predict: quantiles must be in [0, 1], "
                f"got {quantiles!r}."
            )
        shared, order = self._neighbours()
        told = np.empty((X.shape[0], len(levels)))
        size = max(1, BLOCK // len(order))
        for start in range(0, X.shape[0], size):
            some = slice(start, min(X.shape[0], start + size))
            weights = (leaf_table(self, X[some]) @ shared).toarray()
            told[some] = _quantiles(weights, self.targets_[order], levels)
        return told if np.ndim(quantiles) else told[:, 0]

    def _neighbours(self) -> tuple[Any, Indices]:
        """Return the weight that a leaf gives to each row, in the order of targets."""
        order = np.argsort(self.targets_, kind="stable")
        table = leaf_table(self, self._rows[order])
        weighed = sparse.diags_array(self._weight[order]) @ table
        totals = np.asarray(weighed.sum(axis=0)).ravel()
        share = np.divide(1.0, totals, out=np.zeros_like(totals), where=totals > 0)
        trees = len(forest_of(self).roots)
        return (sparse.diags_array(share / trees) @ weighed.T).tocsr(), order

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = False
        return tags


def _quantiles(weights: Matrix, targets: Vector, levels: Vector) -> Matrix:
    """Return the smallest targets below which the weights add up to the levels."""
    sums = np.cumsum(weights, axis=1)
    sums /= sums[:, -1:]
    told = np.empty((len(weights), len(levels)))
    for j, level in enumerate(levels):
        bar = max(level, 1e-300) - 1e-12
        told[:, j] = targets[np.argmax((sums >= bar) & (weights > 0), axis=1)]
    return told
