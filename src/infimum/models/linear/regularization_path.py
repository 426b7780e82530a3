"""The regularisation path: one model per strength, each started from the last."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import clone

from infimum.certificates import Certificate
from infimum.errors import InvalidParameterError
from infimum.models.linear._base import LinearModel, Start
from infimum.models.linear._problem import LinearProblem
from infimum.penalties import SeparablePenalty
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
        Fitted clones, each with its own certificate.
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
    estimator: LinearModel,
    X: Any,
    y: Any,
    *,
    values: Any = None,
    n_values: int = 30,
    eps: float = 1e-3,
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
        coefficients vanish (or are negligible) down to `eps` times it.
    n_values : int, default=30
        How many.
    eps : float, default=1e-3
        The ratio of the weakest to the strongest.

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
    parameter = _parameter(estimator)
    first = clone(estimator)
    problem = first._state(X, y, sample_weight, reset=True)
    if values is None:
        grid = _grid(first, problem, n_values, eps)
    else:
        grid = np.sort(np.asarray(values, dtype=np.float64))
        grid = grid if parameter == "C" else grid[::-1]
    models: list[Any] = []
    starts: list[Start] = [None] * len(problem.targets)
    for value in grid.tolist():
        model = clone(estimator).set_params(**{parameter: value})
        for name in ("classes_", "n_features_in_", "feature_names_in_", "_one_target"):
            if hasattr(first, name):
                setattr(model, name, getattr(first, name))
        solutions = model._solve(problem, starts, None)
        model._adopt(problem, solutions)
        starts = [solution.here for solution in solutions]
        models.append(model)
    return RegularizationPath(parameter, grid, models)


def _parameter(estimator: LinearModel) -> str:
    known = estimator.get_params(deep=False)
    for name in ("C", "alpha", "strength"):
        if name in known:
            return name
    raise InvalidParameterError(
        f"{type(estimator).__name__} has no strength to vary: none of C, alpha, "
        "strength is among its parameters."
    )


def _grid(model: LinearModel, problem: LinearProblem, count: int, eps: float) -> Vector:
    """Return strengths, strongest first, in the units of the estimator's parameter."""
    parameter = _parameter(model)
    model.set_params(**{parameter: 1.0})
    unit = model._penalty(problem.total)
    largest = max(
        float(np.abs(risk.evaluate(risk.null).pulled_back).max(initial=0.0))
        for risk in problem.risks(unit)
    )
    # At strength 1 the penalty keeps a coefficient at 0 up to its corner; ridge has no
    # corner, and one that makes the largest coefficient about 1/1000 stands in.
    corner, curvature = 0.0, 1.0
    if isinstance(unit, SeparablePenalty):
        prices = unit.corner, (unit.elastic or (0.0, 1.0))[1]
        corner, curvature = (float(np.max(price)) for price in prices)
    top = largest / corner if corner > 0 else largest / (1e-3 * max(curvature, 1e-300))
    if not np.isfinite(top) or top <= 0:
        top = 1.0
    strengths = np.geomspace(top, top * eps, count)
    return 1.0 / strengths if parameter == "C" else strengths
