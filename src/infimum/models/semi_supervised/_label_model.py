"""Base of label propagation and spreading: the door, the sweeps, the answer."""

from __future__ import annotations

import warnings
from abc import ABC, abstractmethod
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.callback import CallbackSupportMixin, with_callbacks

from infimum.data.doors import Rows, read, samples, weighed, winners
from infimum.data.doors.labels import check_labels, coded
from infimum.errors import DataError
from infimum.limits import in_time
from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.models._rounds import goes_on
from infimum.models.semi_supervised._edges import (
    Edges,
    check_kernel,
    edges_between,
    edges_to,
)
from infimum.models.warnings import UncertifiedWarning
from infimum.parameters import check_domain, check_parameters, nonnegative, whole
from infimum.typing import Mask, Matrix, Vector

__all__ = ["LabelModel", "told_labels"]

_ADMITTED: dict[str, Any] = {"accept_sparse": ["csr"]}


class LabelModel(CallbackSupportMixin, ClassifierMixin, BaseEstimator, ABC):  # type: ignore[misc]
    """Labels that pass along the edges of a graph of all samples."""

    kernel: Any
    max_iter: int
    tol: float
    #: Whether rows of labels are shares, to which a sample's own add by a loop of 1.
    _keeps_loops: ClassVar[bool] = False

    @abstractmethod
    def _sweep(self, edges: Edges, F: Matrix, given: Matrix, free: Mask) -> Matrix:
        """Return the labels after one step along the edges."""

    @with_callbacks  # type: ignore[untyped-decorator]
    @whole_or_not_at_all
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Spread the labels over the graph of all samples; return self.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            All samples; their weights, n_samples × n_samples, for
            ``kernel="precomputed"``.
        y : array-like of shape (n_samples,)
            Labels, -1 for those to be found.
        sample_weight : array-like of shape (n_samples,), optional
            Copies of each sample; for neighbours, how many of those to be found a
            sample stands for.
        """
        check_parameters(self)
        self._check()
        X, y = read(self, X, y, **_ADMITTED)
        if self.kernel == "precomputed" and X.shape[0] != X.shape[1]:
            raise DataError(
                f"{type(self).__name__} with kernel='precomputed' reads a square "
                f"matrix of weights, got shape {X.shape}."
            )
        copies = Rows(X, weights=weighed(sample_weight, X)).shares()
        self.classes_, codes = told_labels(self, y, copies > 0)
        self.X_, self._copies = X, copies
        self.label_distributions_ = np.full(
            (len(codes), len(self.classes_)), 1.0 / len(self.classes_)
        )
        self.reached_ = np.ones(len(codes), dtype=bool)
        context = self._init_callback_context(max_subtasks=int(self.max_iter))
        context.call_on_fit_task_begin(estimator=self, X=X, y=y)
        self._spread(codes, np.flatnonzero(copies > 0), context)
        self.transduction_ = self.classes_[winners(self.label_distributions_)]
        context.call_on_fit_task_end(
            estimator=self, X=X, y=y, reconstruction_attributes={}
        )
        return self

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the likeliest class of new samples.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_new, n_features)
            Samples; weights to the samples of the fit for ``kernel="precomputed"``.
        """
        found = winners(self.predict_proba(X))
        return np.asarray(self.classes_[found])

    def predict_proba(self, X: Any) -> Matrix:
        """Return the mean of the neighbours' labels, by their weights.

        A sample without weight to any other has all classes alike.
        """
        X = samples(self, X, **_ADMITTED)
        there = np.flatnonzero(self._copies > 0)
        labels, copies = self.label_distributions_[there], self._copies[there]
        known = self.X_
        if self.kernel == "precomputed":
            X = X if len(there) == X.shape[1] else X[:, there]
        elif len(there) < known.shape[0]:
            known = known[there]
        sums = np.zeros((X.shape[0], len(self.classes_)))
        for rows, W in edges_to(self, X, known, copies):
            sums[rows] = W @ labels
        return _shares(sums)

    def _check(self) -> None:
        owner = type(self).__name__
        check_kernel(self)
        check_domain(f"{owner}.max_iter", self.max_iter, whole(1))
        check_domain(f"{owner}.tol", self.tol, nonnegative)

    def _spread(
        self, codes: NDArray[np.intp], there: NDArray[np.intp], context: Any
    ) -> None:
        """Sweep until labels rest; samples without a copy are not there."""
        X, codes = self.X_, codes[there]
        if len(there) < len(self._copies):
            X = X[there][:, there] if self.kernel == "precomputed" else X[there]
        edges = edges_between(self, X, self._copies[there])
        given = np.zeros((len(codes), len(self.classes_)))
        given[np.flatnonzero(codes >= 0), codes[codes >= 0]] = 1.0
        F = self._rest(edges, given, codes < 0, context)
        self.label_distributions_[there] = _shares(F)
        self.reached_[there] = F.sum(axis=1) > 0
        lost = int(np.count_nonzero(~self.reached_))
        if lost:
            warnings.warn(
                f"{type(self).__name__}: no label reaches {lost} samples (reached_); "
                "all classes are alike for them.",
                UncertifiedWarning,
                stacklevel=5,
            )

    def _rest(self, edges: Edges, given: Matrix, free: Mask, context: Any) -> Matrix:
        F, before = given, np.zeros_like(given)
        for count in in_time(range(int(self.max_iter))):
            self.n_iter_ = count
            if np.abs(F - before).sum() < self.tol:
                return F
            before, F = F, self._sweep(edges, F, given, free)
            if not goes_on(self, context):
                self.n_iter_ = count + 1
                return F
        self.n_iter_ = int(self.max_iter)
        warnings.warn(
            f"{type(self).__name__}: max_iter={self.max_iter} was reached without "
            f"convergence; the last sweep moved {np.abs(F - before).sum():.3g}, tol is "
            f"{self.tol:.3g}.",
            UncertifiedWarning,
            stacklevel=6,
        )
        return F

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.pairwise = self.kernel == "precomputed"
        return tags


def told_labels(
    model: Any, y: Any, there: Mask | None = None
) -> tuple[NDArray[Any], NDArray[np.intp]]:
    """Return the sorted classes, and the number of each label, -1 where there is none.

    In text, and among objects, "-1" and -1 mean no label.
    """
    labels = np.asarray(y)
    unknown = np.asarray(labels == -1)
    if labels.dtype.kind in "OUST":
        unknown = unknown | np.asarray(labels == "-1")
    if there is not None:  # labels of samples without a copy were never given
        unknown = unknown | ~there
    told = labels[~unknown]
    if not told.size:
        raise DataError(f"{type(model).__name__} needs a label: all of y are -1.")
    check_labels(told)
    classes, places = coded(told)
    codes = np.full(len(labels), -1, dtype=np.intp)
    codes[~unknown] = places
    return classes, codes


def _shares(sums: Any) -> Matrix:
    """Return rows that sum to 1: those of zeros have all classes alike."""
    F = np.asarray(sums)
    totals: Vector = F.sum(axis=1, keepdims=True)
    even = np.full_like(F, 1.0 / F.shape[1])
    return np.asarray(np.divide(F, totals, out=even, where=totals > 0))
