"""Coefficients of the lasso and the elastic net along a path, as plain arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

from infimum.data.doors import measured
from infimum.errors import InvalidParameterError
from infimum.models.linear._strength_path import strongest, walk_path
from infimum.models.linear.lassos._sparse_recipe import elastic_net_recipe
from infimum.models.linear.lassos.elastic_net import ElasticNet
from infimum.objectives import LinearRisk
from infimum.parameters import check_domain, check_parameters, opened, whole
from infimum.typing import Vector

__all__ = ["enet_path", "lasso_path"]


def enet_path(
    X: Any,
    y: Any,
    *,
    l1_ratio: float = 0.5,
    eps: float = 1e-3,
    n_alphas: Any = "deprecated",
    alphas: Any = "warn",
    precompute: Any = "auto",
    Xy: Any = None,
    copy_X: bool = True,
    coef_init: Any = None,
    verbose: bool = False,
    return_n_iter: bool = False,
    positive: bool = False,
    check_input: bool = True,
    **params: Any,
) -> tuple[Any, ...]:
    """Follow the elastic net from strong to weak, without an intercept.

    Parameters
    ----------
    X : array-like or sparse matrix of shape (n_samples, n_features)
        Samples; centre them if there should have been an intercept.
    y : array-like of shape (n_samples,)
        Targets.
    l1_ratio : float, default=0.5
        The share of the ℓ₁ penalty: 1 is the lasso.
    eps : float, default=1e-3
        The ratio of the weakest to the strongest strength.
    alphas : int or array-like, default=100
        Strengths, or how many; `n_alphas` is the older name of the latter.
    coef_init : array-like of shape (n_features,), optional
        Where to start.
    return_n_iter : bool, default=False
        Whether to return the numbers of iterations as well.
    positive : bool, default=False
        Forbid negative coefficients.
    n_alphas, precompute, Xy, copy_X, verbose, check_input
        Accepted for compatibility with scikit-learn; they need no setting here.
    **params
        ``tol`` (1e-4), ``max_iter`` (1000) and ``sample_weight``; ``random_state`` and
        ``selection`` are accepted, and the answer does not depend on them.

    Returns
    -------
    alphas : ndarray of shape (n_alphas,)
        The strengths, from strong to weak.
    coefs : ndarray of shape (n_features, n_alphas)
    dual_gaps : ndarray of shape (n_alphas,)
        How far each objective can be from the least possible one.
    n_iters : list of int
        Only with ``return_n_iter=True``.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    >>> alphas, coefs, gaps = enet_path(X, [1.0, 0.0, 1.0], alphas=[0.1, 1.0])
    >>> alphas, coefs.round(2).tolist()
    (array([1. , 0.1]), [[0.14, 0.86], [0.0, 0.0]])
    """
    tol, max_iter = params.pop("tol", 1e-4), params.pop("max_iter", 1000)
    weights = params.pop("sample_weight", None)
    for name in ("random_state", "selection"):
        params.pop(name, None)
    if params:
        raise InvalidParameterError(
            f"enet_path takes no parameter {next(iter(params))!r}."
        )
    model = ElasticNet(
        1.0,
        l1_ratio=l1_ratio,
        fit_intercept=False,
        max_iter=max_iter,
        tol=tol,
        positive=positive,
    )
    check_parameters(model)
    rows = measured(model, X, y, weights)
    recipe = model._recipe(rows)
    problem = recipe.problem(rows)
    given = 100 if n_alphas == "deprecated" else n_alphas
    wanted = given if isinstance(alphas, str) or alphas is None else alphas
    grid = _grid(model, recipe.risks(problem), wanted, eps)
    ratio = float(model.l1_ratio)
    path = [elastic_net_recipe(model, rows, alpha, ratio) for alpha in grid.tolist()]
    starts = None if coef_init is None else [problem.pack(coef_init, 0.0)]
    coefs = np.zeros((len(grid), problem.design.shape[1]))
    gaps, iterations = np.empty(len(grid)), []
    for k, (found,) in enumerate(walk_path(path, problem, starts)):
        found.here.write(coefs[k])
        gaps[k] = found.certificate.gap
        iterations.append(found.iterations)
    result = grid, coefs.T, gaps
    return (*result, iterations) if return_n_iter else result


def lasso_path(
    X: Any,
    y: Any,
    *,
    eps: float = 1e-3,
    n_alphas: Any = "deprecated",
    alphas: Any = "warn",
    precompute: Any = "auto",
    Xy: Any = None,
    copy_X: bool = True,
    coef_init: Any = None,
    verbose: bool = False,
    return_n_iter: bool = False,
    positive: bool = False,
    **params: Any,
) -> tuple[Any, ...]:
    """Follow the lasso from strong to weak, without an intercept.

    Parameters and results are those of `enet_path`, whose ``l1_ratio`` is 1 here.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    >>> lasso_path(X, [1.0, 0.0, 1.0], alphas=[0.1])[1].round(2).ravel()
    array([0.85, 0.  ])
    """
    return enet_path(
        X,
        y,
        l1_ratio=1.0,
        eps=eps,
        n_alphas=n_alphas,
        alphas=alphas,
        coef_init=coef_init,
        return_n_iter=return_n_iter,
        positive=positive,
        **params,
    )


def _grid(
    model: ElasticNet, risks: list[LinearRisk], alphas: Any, eps: float
) -> Vector:
    if np.ndim(alphas) > 0:
        return np.sort(np.asarray(alphas, dtype=np.float64).ravel())[::-1].copy()
    check_domain("enet_path alphas", alphas, whole(1))
    check_domain("enet_path eps", eps, opened(0, 1))
    if model.l1_ratio == 0:
        raise InvalidParameterError(
            "enet_path alphas must be given where l1_ratio is 0: no strength makes all "
            "coefficients vanish, so there is none to start from."
        )
    top = strongest(risks, positive=bool(model.positive))
    return np.geomspace(max(top, 1e-15), eps * max(top, 1e-15), int(alphas))
