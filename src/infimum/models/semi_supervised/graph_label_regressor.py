"""Values from the smoothest function on a graph, with proof at every vertex."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin, clone

from infimum.data.doors import check_fitted, measured
from infimum.errors import DataError
from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.models.graph._affinity import is_given, squared
from infimum.models.semi_supervised._graph_labels import (
    WAYS,
    appended,
    check_settings,
    fit_function,
    keep_graph,
    neighbours_mean,
)
from infimum.parameters import check_domain
from infimum.typing import Vector

__all__ = ["GraphLabelRegressor"]


class GraphLabelRegressor(RegressorMixin, BaseEstimator):  # type: ignore[misc]
    r"""Transduction of numbers: values at all vertices of a graph from those of a few.

    Minimises :math:`\tfrac12 \sum_{ij} w_{ij} (f_i - f_j)^2`, exactly, penalised or
    constrained at the labels, as `GraphLabelClassifier` does. Where labels are kept
    exactly, every other value is the mean of its neighbours and lies between the
    smallest and the largest label.

    Parameters
    ----------
    affinity, how, strength, budget, n_neighbors, gamma, tol, max_iter
        As in `GraphLabelClassifier`.

    Attributes
    ----------
    values_ : ndarray of shape (n_samples,)
        The function; the mean of the labels where none of them reaches.
    error_, reached_, strength_, affinity_matrix_, n_iter_
        As in `GraphLabelClassifier`.

    Examples
    --------
    >>> import numpy as np
    >>> path = [[0, 1, 0, 0], [1, 0, 1, 0], [0, 1, 0, 1], [0, 0, 1, 0]]
    >>> y = [0.0, np.nan, np.nan, 3.0]
    >>> GraphLabelRegressor("precomputed").fit(path, y).values_.round(6).tolist()
    [0.0, 1.0, 2.0, 3.0]
    """

    def __init__(
        self,
        affinity: Any = "nearest_neighbors",
        *,
        how: str = "exact",
        strength: float = 1.0,
        budget: float = 0.0,
        n_neighbors: int = 10,
        gamma: float = 1.0,
        tol: float = 1e-10,
        max_iter: int = 10_000,
    ) -> None:
        self.affinity = affinity
        self.how = how
        self.strength = strength
        self.budget = budget
        self.n_neighbors = n_neighbors
        self.gamma = gamma
        self.tol = tol
        self.max_iter = max_iter

    @whole_or_not_at_all
    def fit(self, X: Any, y: Any) -> Self:
        """Find the values of all vertices; return self.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Samples, or the weights of the graph, n_samples × n_samples.
        y : array-like of shape (n_samples,)
            Numbers, NaN for those to be found.
        """
        check_settings(self)
        numbers = _numbers(self, y)
        known = ~np.isnan(numbers)
        filled = np.where(known, numbers, 0.0)
        given = y if y is None else filled.reshape(np.asarray(y).shape)
        rule: Any = {"accept_sparse": ["csr"], "moderate": True}
        found = measured(self, X, given, dtype=np.float64, **rule)
        X, filled = squared(self, found.X), found.y
        if not known.any():
            raise DataError("GraphLabelRegressor needs a label: all of y are NaN.")
        W = keep_graph(self, X)
        values = fit_function(self, W, known, filled[known, None])[:, 0]
        values[~self.reached_] = filled[known].mean()
        self.values_, self._labels = values, np.where(known, filled, np.nan)
        return self

    def predict(self, X: Any, how: str = "mean") -> Vector:
        """Return the values at new samples.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_new, n_features)
            Samples, or weights to the samples of the fit.
        how : {"mean", "append"}, default="mean"
            The mean of the neighbours by their weights, or the answer of a fit with
            the sample appended, one at a time.
        """
        check_fitted(self)
        check_domain("GraphLabelRegressor.predict: how", how, WAYS)
        if how == "mean":
            blank = float(self._labels[~np.isnan(self._labels)].mean())
            return neighbours_mean(self, X, self.values_[:, None], blank)[:, 0]
        y = np.append(self._labels, np.nan)
        fits = [clone(self).fit(joined, y) for joined in appended(self, X)]
        return np.array([model.values_[-1] for model in fits])

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.pairwise = is_given(self)
        return tags


def _numbers(model: Any, y: Any) -> Vector:
    """Return targets as floats in one column, NaN where there is none."""
    if y is None:
        return np.zeros(0)
    try:
        if np.asarray(y).dtype.kind != "c":
            return np.asarray(y, dtype=np.float64).ravel()
    except (TypeError, ValueError):
        raise DataError(
            f"{type(model).__name__} needs numbers as targets, and NaN where there is "
            f"none; got y of type {np.asarray(y).dtype}."
        ) from None
    raise DataError(
        f"Complex data not supported: {type(model).__name__} takes real numbers."
    )
