"""Classes from the smoothest function on a graph, with proof at every vertex."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, clone

from infimum.data.doors import check_fitted, read, winners
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
from infimum.models.semi_supervised._label_model import told_labels
from infimum.parameters import check_domain
from infimum.typing import Matrix

__all__ = ["GraphLabelClassifier"]


class GraphLabelClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    r"""Transduction: classes of all vertices of a graph from those of a few.

    .. math:: \min_f\; \tfrac12 \sum_{ij} w_{ij} (f_i - f_j)^2

    with :math:`f = y` at the labels ("exact"), with :math:`λ \sum (f_i - y_i)^2` added
    ("penalized"), or subject to :math:`\sum (f_i - y_i)^2 ≤ γ` ("constrained"). There
    is a function for each class, 1 at its labels and 0 at the others; they sum to 1.
    The matrix of the equations is an M-matrix, which bounds the error of each value by
    the residual, whoever solved them.

    Parameters
    ----------
    affinity : str, Kernel or callable, default="nearest_neighbors"
        Weights of the graph, as in `SpectralClustering`; "precomputed" if X are the
        weights themselves.
    how : {"exact", "penalized", "constrained"}, default="exact"
    strength : float, default=1.0
        The λ of "penalized".
    budget : float, default=0.0
        The γ of "constrained".
    n_neighbors : int, default=10
        Neighbours in the graph, the sample itself among them; loops are dropped.
    gamma : float, default=1.0
        Of the kernel "rbf".
    tol : float, default=1e-10
        Relative residual at which conjugate gradients stop.
    max_iter : int, default=10000

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    label_distributions_ : ndarray of shape (n_samples, n_classes)
    transduction_ : ndarray of shape (n_samples,)
    error_ : ndarray of shape (n_samples,)
        No exact value is farther from the one in `label_distributions_`.
    proved_ : ndarray of bool
        Whether the class of a vertex is beyond doubt of rounding and iterations.
    reached_ : ndarray of bool
        Whether any label is connected with a vertex; else all classes are alike.
    strength_ : float
        The λ that was used; infinite for exact labels.
    affinity_matrix_ : the weights
    n_iter_ : int

    Examples
    --------
    >>> path = [[0, 1, 0, 0], [1, 0, 1, 0], [0, 1, 0, 1], [0, 0, 1, 0]]
    >>> model = GraphLabelClassifier("precomputed").fit(path, ["a", "-1", "-1", "b"])
    >>> model.label_distributions_[:, 1].round(3).tolist()
    [0.0, 0.333, 0.667, 1.0]
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
        """Find the classes of all vertices; return self.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Samples, or the weights of the graph, n_samples × n_samples.
        y : array-like of shape (n_samples,)
            Labels, -1 for those to be found.
        """
        check_settings(self)
        rule: Any = {"accept_sparse": ["csr"], "moderate": True}
        X, y = read(self, X, y, dtype=np.float64, **rule)
        X = squared(self, X)
        classes, codes = told_labels(self, y)
        self.classes_ = classes
        W, known = keep_graph(self, X), codes >= 0
        F = fit_function(self, W, known, np.eye(len(classes))[codes[known]])
        F[~self.reached_] = 1.0 / len(classes)
        self.label_distributions_ = F
        best = np.sort(np.column_stack([np.zeros(len(F)), F]), axis=1)
        lead = best[:, -1] - best[:, -2]
        self.proved_ = self.reached_ & (lead > 2.0 * self.error_)
        self._codes = codes
        self.transduction_ = classes[winners(F)]
        return self

    def predict(self, X: Any, how: str = "mean") -> NDArray[Any]:
        """Return the classes of new samples; see `predict_proba`."""
        found = winners(self.predict_proba(X, how))
        return np.asarray(self.classes_[found])

    def predict_proba(self, X: Any, how: str = "mean") -> Matrix:
        """Return the values of the classes' functions at new samples.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_new, n_features)
            Samples, or weights to the samples of the fit.
        how : {"mean", "append"}, default="mean"
            The mean of the neighbours by their weights, where the graph stays as it
            is; or the answer of a fit with the sample appended, one at a time.
        """
        check_domain("GraphLabelClassifier.predict_proba: how", how, WAYS)
        check_fitted(self)
        if how == "mean":
            even = 1.0 / len(self.classes_)
            return neighbours_mean(self, X, self.label_distributions_, even)
        y = np.append(self._codes, -1)
        fits = [clone(self).fit(joined, y) for joined in appended(self, X)]
        return np.array([model.label_distributions_[-1] for model in fits])

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.pairwise = is_given(self)
        return tags
