"""Grids of hyperparameters: powers of ten, their products, and tuning in turn."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import clone

from infimum.errors import DataError
from infimum.evaluation.folds import Split
from infimum.evaluation.selection_rules import cross_validate
from infimum.typing import Vector

__all__ = ["combinations", "powers_of_ten", "tune", "tune_in_turn"]


def powers_of_ten(low: int, high: int, per_decade: int = 1) -> Vector:
    """Return 10^low, ..., 10^high: hyperparameters differ by factors, not by sums.

    Examples
    --------
    >>> powers_of_ten(-1, 2)
    array([  0.1,   1. ,  10. , 100. ])
    """
    if high < low or per_decade < 1:
        raise DataError(
            f"powers_of_ten needs low <= high and per_decade >= 1, got {low}, {high}, "
            f"{per_decade}."
        )
    return np.asarray(10.0 ** np.linspace(low, high, (high - low) * per_decade + 1))


def combinations(grids: Mapping[str, Iterable[Any]]) -> list[dict[str, Any]]:
    """Return the Cartesian product of grids, the last one changing fastest.

    Examples
    --------
    >>> combinations({"C": [1, 10], "gamma": [0.1]})
    [{'C': 1, 'gamma': 0.1}, {'C': 10, 'gamma': 0.1}]
    """
    values = [list(grid) for grid in grids.values()]
    return [dict(zip(grids, row, strict=True)) for row in product(*values)]


def tune(
    model: Any,
    grids: Mapping[str, Iterable[Any]],
    X: Any,
    y: ArrayLike,
    splits: Iterable[Split],
    error: Callable[[Any, Any], float],
) -> tuple[dict[str, Any], float]:
    """Return the combination with the least cross-validated error, and that error.

    It is the least of many measurements, so it flatters: it underestimates the error
    on new rows, and the more so the more combinations compete.
    """
    options = combinations(grids)
    candidates = [clone(model).set_params(**option) for option in options]
    table = cross_validate(candidates, X, y, splits, error)
    return options[table.best], float(table.means[table.best])


def tune_in_turn(
    model: Any,
    stages: Sequence[Mapping[str, Iterable[Any]]],
    X: Any,
    y: ArrayLike,
    splits: Iterable[Split],
    error: Callable[[Any, Any], float],
) -> dict[str, Any]:
    """Tune a few hyperparameters jointly, fix them, then tune the next ones.

    The cost is the sum of the stages' grids instead of their product.

    Examples
    --------
    >>> import numpy as np
    >>> from infimum.evaluation import folds, tune_in_turn
    >>> from infimum.models.linear import Ridge
    >>> X, y = np.arange(20.0)[:, None], 2 + np.arange(20.0)
    >>> stages = [{"fit_intercept": [False, True]}, {"alpha": [1e-3, 1e3]}]
    >>> mean_squared = lambda y, f: float(np.mean((y - f) ** 2))
    >>> tune_in_turn(Ridge(), stages, X, y, folds(y, 5), mean_squared)
    {'fit_intercept': True, 'alpha': 0.001}
    """
    held = list(splits)
    chosen: dict[str, Any] = {}
    for grids in stages:
        start = clone(model).set_params(**chosen)
        chosen |= tune(start, grids, X, y, held, error)[0]
    return chosen
