"""Kernel ridge regression that chooses its strength by leaving samples out."""

from __future__ import annotations

import time
from typing import Any, NamedTuple, Self

import numpy as np
from sklearn.model_selection import check_cv

from infimum.certificates import Certificate
from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.models.kernel._ridge_fit import RidgeFit, warn_if_open
from infimum.models.kernel._ridge_folds import Fold, FoldedPath
from infimum.models.kernel._ridge_system import RidgeAnswer
from infimum.models.kernel.kernel_ridge import KernelRidge
from infimum.models.kernel.kernel_ridge_path import KernelRidgePath
from infimum.parameters import check_domain, positive
from infimum.solvers import Record
from infimum.typing import Matrix, Vector

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
        alphas = self._several(self.alphas)
        for alpha in alphas:
            check_domain(f"{type(self).__name__}.alphas", float(alpha), positive)
        fit = RidgeFit.of(self, things, targets.reshape(len(targets), -1), weights)
        if self.cv is None:
            found = _one_by_one(fit, alphas, self.tol)
        else:
            splits = check_cv(self.cv, targets).split(things, targets)
            found = _by_folds(fit, alphas, self.tol, list(splits))
        self._remember(things)
        self.cv_errors_ = found.errors
        self.alpha_ = float(alphas[found.best])
        self.best_score_ = -float(found.errors[found.best])
        self.dual_coef_ = found.coefficients.reshape(targets.shape)
        self.certificate_, self.history_ = found.certificate, found.history
        self.n_iter_ = found.steps
        warn_if_open(self, self.certificate_)
        return self

    def _alphas(self, targets: int) -> Vector:
        return np.full(targets, self.alpha_)


class _Choice(NamedTuple):
    """The errors of all strengths, and the solution of the best."""

    errors: Vector
    coefficients: Matrix
    certificate: Certificate
    history: tuple[Record, ...]
    steps: int

    @property
    def best(self) -> int:
        return int(np.argmin(self.errors))


def _one_by_one(fit: RidgeFit, alphas: Vector, tolerance: float) -> _Choice:
    path = KernelRidgePath.of(fit, alphas, fit.targets.ndim, tolerance)
    best = int(np.argmin(path.mean_errors))
    proof = path.certificates[best]
    return _Choice(
        path.mean_errors, path.dual_coefs[best], proof, path.history(best), 1
    )


def _by_folds(
    fit: RidgeFit, alphas: Vector, tolerance: float, splits: list[Any]
) -> _Choice:
    began = time.perf_counter()
    folds = [
        Fold.of(fit.among_kept(learnt), fit.among_kept(held_out), fit.weights)
        for learnt, held_out in splits
    ]
    # Who weighs nothing is no judge: folds of such only are left out.
    folds = [fold for fold in folds if len(fold.held_out)]
    system = fit.system(fit.targets)
    path = FoldedPath.of(fit.gram, fit.targets, folds, system.roots, alphas)
    pairs = zip(folds, path.predictions, strict=True)
    errors = np.mean([_mean_squares(fit, *pair) for pair in pairs], axis=0)
    best = int(np.argmin(errors))
    found = None if path.solutions is None else path.solutions[best]
    answer = _solved(fit, found, path.steps, float(alphas[best]), tolerance)
    proof = answer.certificate
    record = Record(path.steps, time.perf_counter() - began, proof.primal, proof.dual)
    coefficients = fit.spread(answer.coefficients)
    return _Choice(errors, coefficients, proof, (record,), max(1, path.steps))


def _solved(
    fit: RidgeFit, found: Matrix | None, steps: int, alpha: float, tolerance: float
) -> RidgeAnswer:
    """Return the solution of all samples: the one found, if it proves enough."""
    if found is not None:
        system = fit.system(fit.targets)
        coefficients, intercepts = system.unpack(found)
        proof = system.certify(coefficients, intercepts, alpha, tolerance)
        if proof.closed:
            return RidgeAnswer(coefficients, intercepts, proof, (), steps)
    return fit.solve_directly(alpha, fit.targets, tolerance)


def _mean_squares(fit: RidgeFit, fold: Fold, predictions: Matrix) -> Vector:
    """Return the mean squared error of the held-out of one fold, for each strength."""
    truth, weights = fit.targets[fold.held_out], fit.weights[fold.held_out]
    squares = ((predictions - truth[:, None, :]) ** 2).mean(axis=2)
    return np.asarray((weights / weights.sum()) @ squares)
