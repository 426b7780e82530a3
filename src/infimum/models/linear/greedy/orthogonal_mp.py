"""Orthogonal matching pursuit as functions, from samples or from their products."""

from __future__ import annotations

from typing import Any

import numpy as np

from infimum.data.designs import as_design
from infimum.data.doors import array, refuse_huge, same_length
from infimum.errors import InvalidParameterError
from infimum.models.linear.greedy._gram_factor import factor_of
from infimum.models.linear.greedy._greedy_pursuit import selections
from infimum.models.linear.greedy.orthogonal_matching_pursuit import Orthogonal
from infimum.parameters import check_domain, nonnegative, whole
from infimum.typing import Matrix, Vector

__all__ = ["orthogonal_mp", "orthogonal_mp_gram", "pursuit_path"]


def orthogonal_mp(
    X: Any,
    y: Any,
    *,
    n_nonzero_coefs: int | None = None,
    tol: float | None = None,
    precompute: Any = False,
    copy_X: bool = True,
    return_path: bool = False,
    return_n_iter: bool = False,
) -> Any:
    """Return the coefficients of orthogonal matching pursuit; nothing is centred.

    The choice of a column does not depend on its length; scikit-learn's does, and
    agrees on columns of equal length, which it assumes.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
    y : array-like of shape (n_samples,) or (n_samples, n_targets)
    n_nonzero_coefs : int or None, default=None
        Number of columns to choose, ignored if `tol` is set; None means a tenth of
        them, but at least one.
    tol : float or None, default=None
        Stop as soon as the sum of squared residuals is at most this.
    precompute, copy_X
        Accepted for compatibility; X is never changed.
    return_path : bool, default=False
        Whether to return the coefficients after every choice, along the last axis.
    return_n_iter : bool, default=False
        Whether to return the number of columns chosen, too.

    Returns
    -------
    coef : ndarray of shape (n_features,), (n_features, n_targets) or with one more axis
    n_iters : int or list of int
        If asked for.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.random.default_rng(0).standard_normal((30, 20))
    >>> np.flatnonzero(orthogonal_mp(X, 3 * X[:, 7] - X[:, 11], n_nonzero_coefs=2))
    array([ 7, 11])
    """
    A = array(X)
    targets = array(y, ensure_2d=False)
    same_length(A, targets)
    refuse_huge(orthogonal_mp, A, targets)
    steps = _steps("orthogonal_mp", n_nonzero_coefs, tol, A.shape[1])
    columns = targets.reshape(len(A), -1).T
    paths = [pursuit_path(A, column, steps, tol) for column in columns]
    return _shaped(paths, return_path=return_path, return_n_iter=return_n_iter)


def orthogonal_mp_gram(
    Gram: Any,
    Xy: Any,
    *,
    n_nonzero_coefs: int | None = None,
    tol: float | None = None,
    norms_squared: Any = None,
    copy_Gram: bool = True,
    copy_Xy: bool = True,
    return_path: bool = False,
    return_n_iter: bool = False,
) -> Any:
    """Return the same as `orthogonal_mp`, from XᵀX and Xᵀy alone.

    Parameters
    ----------
    Gram : array-like of shape (n_features, n_features)
    Xy : array-like of shape (n_features,) or (n_features, n_targets)
    n_nonzero_coefs, tol, return_path, return_n_iter
        As for `orthogonal_mp`.
    norms_squared : float or array-like of shape (n_targets,), optional
        Squared lengths of the targets, which `tol` needs.
    copy_Gram, copy_Xy
        Accepted for compatibility; neither is changed.

    Returns
    -------
    coef, n_iters
        As for `orthogonal_mp`.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.random.default_rng(0).standard_normal((30, 20))
    >>> y = 3 * X[:, 7] - X[:, 11]
    >>> np.flatnonzero(orthogonal_mp_gram(X.T @ X, X.T @ y, n_nonzero_coefs=2))
    array([ 7, 11])
    """
    products = array(Xy, ensure_2d=False)
    A, targets = factor_of(array(Gram), products)
    steps = _steps("orthogonal_mp_gram", n_nonzero_coefs, tol, A.shape[1])
    columns = np.atleast_2d(targets.T)  # of no rows at all, if the Gram matrix is 0
    floors: list[float | None] = [None] * len(columns)
    if tol is not None:
        if norms_squared is None:
            raise InvalidParameterError(
                "orthogonal_mp_gram.norms_squared must be given with tol: products "
                "alone do not tell how long the targets are."
            )
        # What no column can explain is not in the factor.
        outside = np.ravel(norms_squared) - np.square(columns).sum(axis=1)
        floors = np.maximum(tol - outside, 0.0).tolist()
    paths = [
        pursuit_path(A, column, steps, floor)
        for column, floor in zip(columns, floors, strict=True)
    ]
    if getattr(Gram, "dtype", None) == np.float32:
        paths = [path.astype(np.float32) for path in paths]
    return _shaped(paths, return_path=return_path, return_n_iter=return_n_iter)


def pursuit_path(A: Matrix, target: Vector, steps: int, floor: float | None) -> Matrix:
    """Return the coefficients after every choice, one column each."""
    pursuit = Orthogonal(as_design(A), target, np.ones(len(target)))
    chosen = selections(pursuit, steps, floor)
    path = [pursuit.coefficients() for _ in chosen]
    return np.array(path).reshape(len(path), A.shape[1]).T


def _steps(owner: str, asked: int | None, tol: float | None, n_features: int) -> int:
    if tol is not None:
        check_domain(f"{owner}.tol", tol, nonnegative)
        return n_features
    if asked is None:
        return max(n_features // 10, 1)
    check_domain(f"{owner}.n_nonzero_coefs", asked, whole(1, n_features))
    return int(asked)


def _shaped(paths: list[Matrix], *, return_path: bool, return_n_iter: bool) -> Any:
    counts = [path.shape[1] for path in paths]
    most = max(*counts, 1)
    every = np.stack([_lengthened(path, most) for path in paths], axis=1)
    coef = np.squeeze(every if return_path else every[:, :, -1])
    if not return_n_iter:
        return coef
    return coef, counts[0] if len(counts) == 1 else counts


def _lengthened(path: Matrix, most: int) -> Matrix:
    """Repeat the end of a path that was short: its target is explained."""
    end = path[:, -1:] if path.shape[1] else np.zeros((len(path), 1))
    return np.hstack([path, np.tile(end, most - path.shape[1])])
