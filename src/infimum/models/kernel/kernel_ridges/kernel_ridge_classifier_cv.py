"""Kernel ridge classification that chooses its strength by leaving samples out."""

from __future__ import annotations

from typing import Any, Self

import numpy as np

from infimum.models._folds import folds_of
from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.models.kernel.kernel_ridges._ridge_choice import RidgeChoice
from infimum.models.kernel.kernel_ridges._ridge_fit import warn_if_open
from infimum.models.kernel.kernel_ridges.kernel_ridge_classifier import (
    KernelRidgeClassifier,
)

__all__ = ["KernelRidgeClassifierCV"]


class KernelRidgeClassifierCV(KernelRidgeClassifier):
    r"""Kernel ridge classification with the strength of least error on unseen samples.

    The error of a sample is that of its scores beside the labels coded ±1, squared.
    Without `cv` every sample is left out in turn, from one eigendecomposition of the
    kernel matrix; with folds all strengths share Krylov spaces, as in `KernelRidgeCV`.
    The kernel matrix must fit in memory.

    Parameters
    ----------
    alphas : array-like of shape (n_alphas,), default=(0.1, 1.0, 10.0)
        The strengths to choose from.
    kernel, gamma, degree, coef0, kernel_params, fit_intercept, class_weight, tol
        As in `KernelRidgeClassifier`.
    cv : int, splitter, iterable or None, default=None
        Folds to hold back, of every class alike; None leaves out one sample at a time.

    Attributes
    ----------
    alpha_ : float
        The chosen strength.
    cv_errors_ : ndarray of shape (n_alphas,)
        Mean squared errors of the samples left out, each counted as often as it is
        given, whatever its class weighs; of folds, the mean of theirs.
    best_score_ : float
        Minus the least of them.
    classes_, dual_coef_, intercept_, X_fit_, certificate_, history_, n_iter_
        As in `KernelRidgeClassifier`, at the chosen strength.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.linspace(0, 6, 30)[:, None]
    >>> model = KernelRidgeClassifierCV((0.01, 1.0, 100.0), gamma=1.0)
    >>> model.fit(X, np.sin(X[:, 0]) > 0).alpha_
    0.01
    """

    def __init__(
        self,
        alphas: Any = (0.1, 1.0, 10.0),
        *,
        kernel: Any = "rbf",
        gamma: float | None = None,
        degree: float = 3,
        coef0: float = 1,
        kernel_params: dict[str, Any] | None = None,
        fit_intercept: bool = True,
        class_weight: Any = None,
        tol: float = 1e-10,
        cv: Any = None,
    ) -> None:
        self.alphas = alphas
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.kernel_params = kernel_params
        self.fit_intercept = fit_intercept
        self.class_weight = class_weight
        self.tol = tol
        self.cv = cv

    @whole_or_not_at_all
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Choose the strength and solve for the coefficients; return self.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features), or a list
            Samples; the kernel matrix if `kernel` is "precomputed".
        y : array-like of shape (n_samples,)
            Labels, of any sortable kind.
        sample_weight : array-like of shape (n_samples,), optional
            A weight of k means the same as k copies of the sample.
        """
        things, fit, copies = self._state(X, y, sample_weight)
        splits = None
        if self.cv is not None:
            labels = np.ravel(np.asarray(y))
            splits = folds_of(self, things, labels, classifier=True)
        alphas = np.asarray(self.alphas, dtype=np.float64).ravel()
        found = RidgeChoice.of(fit, alphas, copies, splits, self.tol)
        self._keep_samples(things)
        self.cv_errors_, self.alpha_ = found.errors, found.alpha
        self.best_score_ = -float(found.errors[found.best])
        self.dual_coef_, self.intercept_ = found.coefficients.T, found.intercepts
        self.certificate_, self.history_ = found.certificate, found.history
        self.n_iter_ = found.steps
        warn_if_open(self, self.certificate_)
        return self
