"""The regularisation path: one model per strength, each started from the last."""

from __future__ import annotations

import warnings
from copy import copy
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import clone

from infimum.certificates import Certificate
from infimum.data.doors import Rows
from infimum.errors import InvalidParameterError
from infimum.models._advice import advice
from infimum.models.linear._problem import LinearProblem
from infimum.models.linear._strength_path import strongest, usual_span, walk_path
from infimum.models.linear.estimator import LinearEstimator
from infimum.models.linear.fit import Fit
from infimum.models.linear.keep import keep
from infimum.models.warnings import UncertifiedWarning
from infimum.parameters import check_parameters
from infimum.typing import Matrix, Vector

__all__ = ["RegularizationPath", "regularization_path"]


@dataclass(frozen=True, eq=False)
class RegularizationPath:
    """Fitted models from the strongest penalty to the weakest.

    Attributes
    ----------
    parameter : str
        The name of the parameter that varies: "alpha", "C" or "strength".
    values : ndarray
        Its values, in the order of `models`.
    models : list of estimators
        Fitted clones, each with its own certificate; an `UncertifiedWarning` tells
        when some of them are open.
    """

    parameter: str
    values: Vector
    models: list[Any]

    @property
    def coefs(self) -> Matrix:
        """The coefficients of all models, one entry per value first."""
        return np.array([model.coef_ for model in self.models])

    @property
    def certificates(self) -> list[Certificate]:
        """The proof of each model."""
        return [model.certificate_ for model in self.models]


def regularization_path(
    estimator: LinearEstimator,
    X: Any,
    y: Any,
    *,
    values: Any = None,
    n_values: int = 30,
    eps: float | None = None,
    sample_weight: Any = None,
) -> RegularizationPath:
    """Fit `estimator` for a grid of regularisation strengths, with warm starts.

    Parameters
    ----------
    estimator : a linear estimator
        What to fit; its own strength is ignored.
    X, y, sample_weight
        The data, as for ``fit``.
    values : array-like, optional
        Values of `alpha` (or `C`, or `strength`); by default `n_values` of them,
        evenly spaced in the logarithm, from the least strength at which all
        coefficients vanish (for ridge: are shrunken to a tenth or less) down to `eps`
        times it.
    n_values : int, default=30
        How many.
    eps : float, optional
        The ratio of the weakest to the strongest: by default 1e-3, and 1e-6 for ridge
        penalties, whose shrinkage takes longer from all to none.

    Returns
    -------
    RegularizationPath

    Examples
    --------
    >>> import numpy as np
    >>> from infimum.models.linear import Lasso
    >>> X = np.array([[1.0, 0.0], [2.0, 1.0], [3.0, 0.0], [4.0, 1.0]])
    >>> path = regularization_path(Lasso(), X, [1.0, 2.0, 3.0, 4.0], n_values=5)
    >>> [int((model.coef_ != 0).sum()) for model in path.models]
    [0, 1, 1, 1, 1]
    """
    parameter, first = _parameter(estimator), clone(estimator)
    check_parameters(first)
    rows = first._rows(X, y, sample_weight, reset=True)
    problem = first._recipe(rows).problem(rows)
    if values is None:
        grid = _grid(first, rows, problem, n_values, eps)
    else:
        grid = np.sort(np.asarray(values, dtype=np.float64))
        grid = grid if parameter == "C" else grid[::-1]
    blank = clone(estimator)
    for name in ("n_features_in_", "feature_names_in_"):
        if hasattr(first, name):
            setattr(blank, name, getattr(first, name))
    if rows.classes is not None:
        blank.classes_ = rows.classes
    # Copies of one clone: to clone for each would take as long as to solve for it.
    models = [_set(copy(blank), parameter, value) for value in grid.tolist()]
    recipes = [model._recipe(rows) for model in models]
    runs = walk_path(recipes, problem)
    for model, recipe, solutions in zip(models, recipes, runs, strict=True):
        keep(model, Fit(recipe, rows, problem, solutions))
    _warn_if_open(type(estimator).__name__, models)
    return RegularizationPath(parameter, grid, models)


def _set(model: Any, parameter: str, value: float) -> Any:
    setattr(model, parameter, value)
    check_parameters(model)
    return model


def _warn_if_open(name: str, models: list[Any]) -> None:
    """Warn once for all models whose gap did not close."""
    open_ = [model for model in models if not model.certificate_.closed]
    if open_:
        worst = max(open_, key=lambda model: model.certificate_.relative_gap)
        proof = worst.certificate_
        warnings.warn(
            f"{len(open_)} of the {len(models)} models on the path of {name} stopped "
            f"with a relative duality gap above their tolerance, the worst with "
            f"{proof.relative_gap:.1e} ({proof.reason}). "
            f"{advice(worst, proof, worst.history_[-1].iteration)}",
            UncertifiedWarning,
            stacklevel=3,
        )


def _parameter(estimator: LinearEstimator) -> str:
    known = estimator.get_params(deep=False)
    for name in ("C", "alpha", "strength"):
        if name in known:
            return name
    raise InvalidParameterError(
        f"{type(estimator).__name__} has no strength to vary: none of C, alpha, "
        "strength is among its parameters."
    )


def _grid(
    model: LinearEstimator,
    rows: Rows,
    problem: LinearProblem,
    count: int,
    eps: float | None,
) -> Vector:
    """Return strengths, strongest first, in the units of the estimator's parameter."""
    parameter = _parameter(model)
    risks = _set(model, parameter, 1.0)._recipe(rows).risks(problem)
    top = strongest(risks, positive=bool(getattr(model, "positive", False)))
    if not np.isfinite(top) or top <= 0:
        top = 1.0
    span = usual_span(risks[0]) if eps is None else eps
    strengths = np.geomspace(top, top * span, count)
    return 1.0 / strengths if parameter == "C" else strengths
