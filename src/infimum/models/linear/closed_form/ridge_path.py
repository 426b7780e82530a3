"""The ridge path: every strength, and how it predicts what it has not seen."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np

from infimum.data.doors import table, weighed
from infimum.data.doors.streamed_rows import is_streamed
from infimum.errors import DataError, InvalidParameterError
from infimum.models.linear.closed_form._moments import centred_targets, squared_problem
from infimum.models.linear.closed_form._ridge_eigen import RidgeEigen
from infimum.parameters import check_domain, opened, whole
from infimum.typing import Matrix, Vector

__all__ = ["RidgePath", "ridge_path", "strengths_of"]


@dataclass(frozen=True, eq=False)
class RidgePath:
    """Ridge regression under many strengths, from strong to weak.

    Attributes
    ----------
    alphas : ndarray of shape (n_alphas,)
        The strengths, as in `Ridge`.
    coefs : ndarray of shape (n_alphas, n_features) or (n_alphas, n_targets, n_features)
    intercepts : ndarray of shape (n_alphas,) or (n_alphas, n_targets)
    left_out_errors : ndarray of shape (n_alphas,) or (n_alphas, n_targets)
        The mean squared error of samples that were left out, one at a time.
    degrees_of_freedom : ndarray of shape (n_alphas,)
        The directions that are not shrunken away, Σ s/(s + λ).
    gap : float
        The largest relative duality gap of all models.
    """

    alphas: Vector
    coefs: Matrix
    intercepts: Matrix
    left_out_errors: Matrix
    degrees_of_freedom: Vector
    gap: float


def ridge_path(
    X: Any,
    y: Any = None,
    *,
    alphas: Any = 100,
    eps: float = 1e-6,
    fit_intercept: bool = True,
    sample_weight: Any = None,
) -> RidgePath:
    """Fit ridge regression for all strengths after one eigendecomposition.

    Parameters
    ----------
    X : array-like or sparse matrix of shape (n_samples, n_features)
        Samples; or streamed rows, which bring targets and weights.
    y : array-like of shape (n_samples,) or (n_samples, n_targets)
        Targets.
    alphas : int or array-like, default=100
        Strengths, or how many: evenly spaced in the logarithm, from 10 times the
        largest eigenvalue of the scatter matrix, where hardly anything is left of any
        coefficient, down to `eps` times that.
    eps : float, default=1e-6
        The ratio of the weakest to the strongest.
    fit_intercept : bool, default=True
        Whether to learn an intercept; it is never penalised.
    sample_weight : array-like of shape (n_samples,), optional
        A weight of k means k copies, which are left out together.

    Returns
    -------
    RidgePath

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[0.0], [1.0], [2.0], [4.0]])
    >>> path = ridge_path(X, [0.0, 1.0, 2.0, 4.0], alphas=[0.01, 100.0])
    >>> path.alphas, path.coefs.round(3).ravel()
    (array([1.e+02, 1.e-02]), array([0.08 , 0.999]))
    """
    if is_streamed(X):
        if y is not None or sample_weight is not None:
            raise DataError("ridge_path takes targets and weights from streamed rows.")
        streamed = import_module("infimum.models.streamed.ridge_path")
        path: RidgePath = streamed.streamed_ridge_path(
            X, alphas, eps, fit_intercept=fit_intercept
        )
        return path
    X, y = table(
        X,
        y,
        accept_sparse=["csr", "csc"],
        dtype=[np.float64, np.float32],
        multi_output=True,
        y_numeric=True,
    )
    y = np.asarray(y, dtype=np.float64)
    targets = tuple(y.reshape(len(y), -1).T)
    weights = weighed(sample_weight, X)
    problem = squared_problem(X, targets, weights, intercept=fit_intercept)
    eigen = RidgeEigen.of(problem)
    grid = strengths_of(
        alphas, eps, problem.total * float(eigen.values.max(initial=0.0))
    )
    strengths = grid / problem.total
    coefs = eigen.weights(strengths)
    intercepts = centred_targets(problem)[1] - coefs @ problem.means
    squares = np.square(eigen.left_out_residuals(strengths))
    errors = np.einsum("i,ika->ak", problem.shares, squares)
    shrunken = eigen.values[:, None] / (eigen.values[:, None] + strengths)
    gap = eigen.worst_gap(strengths)
    if y.ndim == 1:
        coefs, intercepts, errors = coefs[:, 0], intercepts[:, 0], errors[:, 0]
    return RidgePath(grid, coefs, intercepts, errors, shrunken.sum(axis=0), gap)


def strengths_of(alphas: Any, eps: float, largest: float) -> Vector:
    """Return strengths from strong to weak, as asked, or from the largest down."""
    if np.ndim(alphas) == 0:
        check_domain("ridge_path alphas", alphas, whole(1))
        check_domain("ridge_path eps", eps, opened(0, 1))
        top = 10.0 * largest if largest > 0 else 1.0
        return np.geomspace(top, eps * top, int(alphas))
    grid = np.sort(np.asarray(alphas, dtype=np.float64).ravel())[::-1]
    if not (len(grid) and np.isfinite(grid).all() and grid[-1] > 0):
        raise InvalidParameterError(
            f"ridge_path alphas must be numbers in (0, inf), got {alphas!r}."
        )
    return grid
