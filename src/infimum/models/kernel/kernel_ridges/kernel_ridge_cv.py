"""Kernel ridge regression that chooses its strength by leaving samples out."""

from __future__ import annotations

from typing import Any, Self

from infimum.models._folds import folds_of
from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.models.kernel.kernel_ridges._ridge_choice import RidgeChoice
from infimum.models.kernel.kernel_ridges._ridge_fit import RidgeFit, warn_if_open
from infimum.models.kernel.kernel_ridges.kernel_ridge import KernelRidge

__all__ = ["KernelRidgeCV"]


class KernelRidgeCV(KernelRidge):
    r"""Kernel ridge regression with the strength of least error on unseen samples.

    Without `cv` every sample is left out in turn: all strengths, and these errors for
    each of them, come from one eigendecomposition of the kernel matrix (see
    `KernelRidgePath`). With folds there is no need to decompose: the systems of all
    strengths share one Krylov space, those of several folds one reading of the kernel
    matrix, which takes a small part of the time. The kernel matrix must fit in memory.

    Parameters
    ----------
    alphas : array-like of shape (n_alphas,), default=(0.1, 1.0, 10.0)
        The strengths to choose from.
    kernel, gamma, degree, coef0, kernel_params, tol
        As in `KernelRidge`.
    cv : int, splitter, iterable or None, default=None
        Folds to hold back; None leaves out one sample at a time.

    Attributes
    ----------
    alpha_ : float
        The chosen strength.
    cv_errors_ : ndarray of shape (n_alphas,)
        Mean squared errors of the samples left out; of folds, the mean of theirs.
    best_score_ : float
        Minus the least of them.
    dual_coef_, X_fit_, certificate_, history_, n_iter_
        As in `KernelRidge`, at the chosen strength.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.linspace(0, 6, 30)[:, None]
    >>> model = KernelRidgeCV((0.001, 1.0, 1000.0), kernel="rbf")
    >>> model.fit(X, np.sin(X[:, 0])).alpha_
    0.001
    """

    def __init__(
        self,
        alphas: Any = (0.1, 1.0, 10.0),
        *,
        kernel: Any = "linear",
        gamma: float | None = None,
        degree: float = 3,
        coef0: float = 1,
        kernel_params: dict[str, Any] | None = None,
        tol: float = 1e-10,
        cv: Any = None,
    ) -> None:
        self.alphas = alphas
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.kernel_params = kernel_params
        self.tol = tol
        self.cv = cv

    @whole_or_not_at_all
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Choose the strength and solve for the coefficients; return self.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features), or a list
            Samples; the kernel matrix if `kernel` is "precomputed".
        y : array-like of shape (n_samples,) or (n_samples, n_targets)
            Targets.
        sample_weight : array-like of shape (n_samples,), optional
            A weight of k means the same as k copies of the sample.
        """
        things, targets, weights = self._admit(X, y, sample_weight)
        fit = RidgeFit.of(self, things, targets.reshape(len(targets), -1), weights)
        splits = None
        if self.cv is not None:
            splits = folds_of(self, things, targets)
        alphas = self._several(self.alphas)
        found = RidgeChoice.of(fit, alphas, fit.weights, splits, self.tol)
        self._keep_samples(things)
        self.cv_errors_, self.alpha_ = found.errors, found.alpha
        self.best_score_ = -float(found.errors[found.best])
        self.dual_coef_ = found.coefficients.reshape(targets.shape)
        self.certificate_, self.history_ = found.certificate, found.history
        self.n_iter_ = found.steps
        warn_if_open(self, self.certificate_)
        return self
