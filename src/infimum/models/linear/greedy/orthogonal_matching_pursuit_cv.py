"""Orthogonal matching pursuit with as many columns as held-back folds ask for."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin

from infimum.compiled.threads import one_blas_thread
from infimum.data.doors import measured, samples
from infimum.models._folds import RoutedFolds, folds_of
from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.models.linear._overflow import affine, blames_numbers
from infimum.models.linear.greedy.orthogonal_matching_pursuit import (
    OrthogonalMatchingPursuit,
)
from infimum.models.linear.greedy.orthogonal_mp import pursuit_path
from infimum.parameters import check_domain, check_parameters, whole
from infimum.typing import Matrix, Vector

__all__ = ["OrthogonalMatchingPursuitCV"]


class OrthogonalMatchingPursuitCV(RoutedFolds, RegressorMixin, BaseEstimator):  # type: ignore[misc]
    """Sparse least squares, with the number of columns chosen by cross-validation.

    On every fold columns are chosen one by one up to the largest number; the number
    that predicts the held-back samples best is used on all of them.

    Parameters
    ----------
    copy, n_jobs, verbose
        Accepted for compatibility; X is never changed.
    fit_intercept : bool, default=True
        Whether to learn b; it is not counted.
    max_iter : int or None, default=None
        Largest number of columns; None means a tenth of them, but at least five, or
        all if there are fewer.
    cv : int, splitter, iterable or None, default=None
        Folds to hold back; None means 5.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,)
    intercept_ : float
    n_nonzero_coefs_ : int
        The number chosen.
    mse_path_ : ndarray of shape (n_steps, n_folds)
        Mean squared error on every held-back fold, after every choice.
    selected_ : ndarray of int
        The columns in the order of their choice.
    n_iter_ : int
    n_features_in_ : int

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> X = rng.standard_normal((60, 12))
    >>> y = 3 * X[:, 7] - X[:, 11] + 0.1 * rng.standard_normal(60)
    >>> OrthogonalMatchingPursuitCV().fit(X, y).selected_
    array([ 7, 11])
    """

    coef_: Any
    intercept_: Any

    def __init__(
        self,
        *,
        copy: bool = True,
        fit_intercept: bool = True,
        max_iter: int | None = None,
        cv: Any = None,
        n_jobs: int | None = None,
        verbose: Any = False,
    ) -> None:
        self.copy = copy
        self.fit_intercept = fit_intercept
        self.max_iter = max_iter
        self.cv = cv
        self.n_jobs = n_jobs
        self.verbose = verbose

    @whole_or_not_at_all
    @blames_numbers
    def fit(self, X: Any, y: Any, **fit_params: Any) -> Self:
        """Choose the number of columns by folds, then the columns; return self.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples, float32 or float64.
        y : array-like of shape (n_samples,)
            Targets.
        **fit_params
            What `cv` is told of the samples, such as groups, with metadata routing on.
        """
        check_parameters(self)
        split = self._split_settings(fit_params)
        rule: dict[str, Any] = {
            "moderate": True,
            "accept_sparse": False,
            "ensure_min_features": 2,
        }
        rows = measured(self, X, y, **rule)
        X, y = rows.X, rows.y
        steps = self._most(X.shape[1])
        splits = folds_of(self, X, y, split=split)
        with one_blas_thread():  # products with vectors only
            folds = [self._errors(X, y, steps, *fold) for fold in splits]
        shortest = min(len(fold) for fold in folds)
        self.mse_path_ = np.column_stack([fold[:shortest] for fold in folds])
        # Where some fold has nothing to explain there is no number to compare.
        best = int(np.argmin(self.mse_path_.mean(axis=1))) + 1 if shortest else 1
        self.n_nonzero_coefs_ = best
        final = OrthogonalMatchingPursuit(
            n_nonzero_coefs=best, fit_intercept=self.fit_intercept
        ).fit(X, y)
        self.coef_, self.intercept_ = final.coef_, final.intercept_
        self.selected_, self.n_iter_ = final.selected_, final.n_iter_
        return self

    def predict(self, X: Any) -> Vector:
        """Return ⟨w, x⟩ + b for each sample."""
        X = samples(self, X)
        return affine(self, X, self.coef_, self.intercept_)

    def _most(self, n_features: int) -> int:
        if self.max_iter is None or self.max_iter == 0:
            return min(max(n_features // 10, 5), n_features)
        owner = "OrthogonalMatchingPursuitCV.max_iter"
        check_domain(owner, self.max_iter, whole(1, n_features))
        return int(self.max_iter)

    def _errors(
        self, X: Matrix, y: Vector, steps: int, train: Any, held: Any
    ) -> Vector:
        """Return the mean squared error on a held-back fold after every choice."""
        A, target = np.asarray(X[train], dtype=np.float64), y[train]
        means, mean = np.zeros(X.shape[1]), 0.0
        if self.fit_intercept:
            means, mean = A.mean(axis=0), float(target.mean())
        path = pursuit_path(A - means, target - mean, steps, None)
        wrong = (X[held] - means) @ path + mean - y[held][:, None]
        return np.asarray(np.mean(wrong**2, axis=0))
