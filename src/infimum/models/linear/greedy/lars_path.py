"""Least angle and lasso paths as functions, from samples or from their products."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from infimum.data.doors import array, refuse_huge, table
from infimum.errors import IncompatibleError
from infimum.models.linear.greedy._gram_factor import factor_of
from infimum.models.linear.greedy._least_angle import walked
from infimum.parameters import Choice, check_domain, nonnegative, whole
from infimum.typing import Matrix, Vector

__all__ = ["lars_path", "lars_path_gram"]

_METHODS = Choice(("lar", "lasso"))


def lars_path(
    X: Any,
    y: Any,
    Xy: Any = None,
    *,
    Gram: Any = None,
    max_iter: int = 500,
    alpha_min: float = 0.0,
    method: str = "lar",
    copy_X: bool = True,
    eps: float = np.finfo(float).eps,
    copy_Gram: bool = True,
    verbose: Any = 0,
    return_path: bool = True,
    return_n_iter: bool = False,
    positive: bool = False,
) -> tuple[Any, ...]:
    """Follow least angle regression or the lasso exactly; nothing is centred.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
    y : array-like of shape (n_samples,)
    Xy, Gram, copy_X, eps, copy_Gram, verbose
        Accepted for compatibility; products are computed as they are needed.
    max_iter : int, default=500
        Most steps.
    alpha_min : float, default=0.0
        Where to end.
    method : {'lar', 'lasso'}, default='lar'
        Whether coefficients pass through 0 or leave there.
    return_path : bool, default=True
        Whether to return the whole path, or its end alone.
    return_n_iter : bool, default=False
        Whether to return the number of steps, too.
    positive : bool, default=False
        Forbid negative coefficients (the lasso only).

    Returns
    -------
    alphas : ndarray of shape (n_alphas,)
        The largest correlation, over n_samples, at every corner.
    active : list of int
        The features active at the end.
    coefs : ndarray of shape (n_features, n_alphas) or (n_features,)
    n_iter : int
        If asked for.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[2.0, 0.0], [0.0, 2.0], [0.0, 0.0], [0.0, 0.0]])
    >>> alphas, active, coefs = lars_path(X, np.array([4.0, 2.0, 0.0, 0.0]))
    >>> alphas, active
    (array([2., 1., 0.]), [0, 1])
    >>> coefs
    array([[0., 1., 2.],
           [0., 0., 1.]])
    """
    A, target = table(X, y, y_numeric=True, dtype=np.float64)
    refuse_huge(lars_path, A, target)
    rule = _Rule("lars_path", method, max_iter, alpha_min, positive)
    found = rule.follow(A, target, len(A))
    return _shaped(*found, whole_path=return_path, count=return_n_iter)


def lars_path_gram(
    Xy: Any,
    Gram: Any,
    *,
    n_samples: int,
    max_iter: int = 500,
    alpha_min: float = 0.0,
    method: str = "lar",
    copy_X: bool = True,
    eps: float = np.finfo(float).eps,
    copy_Gram: bool = True,
    verbose: Any = 0,
    return_path: bool = True,
    return_n_iter: bool = False,
    positive: bool = False,
) -> tuple[Any, ...]:
    """Follow the same paths as `lars_path`, from XᵀX and Xᵀy alone.

    Parameters
    ----------
    Xy : array-like of shape (n_features,)
    Gram : array-like of shape (n_features, n_features)
    n_samples : int
        The number of samples that the products sum over.
    max_iter, alpha_min, method, copy_X, eps, copy_Gram, verbose, return_path, \
return_n_iter, positive
        As for `lars_path`.

    Returns
    -------
    alphas, active, coefs, n_iter
        As for `lars_path`.

    Examples
    --------
    >>> import numpy as np
    >>> lars_path_gram([8.0, 4.0], 4.0 * np.eye(2), n_samples=4)[0]
    array([2., 1., 0.])
    """
    check_domain("lars_path_gram.n_samples", n_samples, whole(1))
    products = array(Xy, ensure_2d=False)
    A, target = factor_of(array(Gram), products)
    rule = _Rule("lars_path_gram", method, max_iter, alpha_min, positive)
    found = rule.follow(A, target, n_samples)
    return _shaped(*found, whole_path=return_path, count=return_n_iter)


class _Rule(NamedTuple):
    """How to follow a path, and on whose behalf."""

    owner: str
    method: str
    max_iter: int
    alpha_min: float
    positive: bool

    def follow(
        self, A: Matrix, target: Vector, n_samples: int
    ) -> tuple[Vector, list[int], Matrix]:
        """Return the corners of the path, what is active at its end, and weights."""
        check_domain(f"{self.owner}.method", self.method, _METHODS)
        check_domain(f"{self.owner}.max_iter", self.max_iter, whole(0))
        check_domain(f"{self.owner}.alpha_min", self.alpha_min, nonnegative)
        if self.positive and self.method == "lar":
            raise IncompatibleError(
                f"{self.owner}(positive=True) takes method='lasso': least angle "
                "regression lets coefficients pass through 0."
            )
        root = 1.0 / np.sqrt(n_samples)
        return walked(
            A * root,
            target * root,
            lasso=self.method == "lasso",
            positive=self.positive,
            floor=float(self.alpha_min),
            most=int(self.max_iter),
        )


def _shaped(
    alphas: Vector, active: list[int], coefs: Matrix, *, whole_path: bool, count: bool
) -> tuple[Any, ...]:
    steps = (len(alphas) - 1,) if count else ()
    if whole_path:
        return (alphas, active, coefs, *steps)
    return (alphas[-1:], active, coefs[:, -1], *steps)
