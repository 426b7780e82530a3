"""How steady weights are: the same fit on other draws of the training rows."""

import time
from typing import Any, NamedTuple

import numpy as np
from sklearn.base import clone

from infimum.errors import InfimumError
from infimum.learn.ground import collecting, fit_one
from infimum.typing import Indices, Matrix, Vector

__all__ = ["DRAWS", "Steadiness", "weight_steadiness"]

#: Draws of the rows; a standard error of so many is right within an eighth.
DRAWS = 30


class Steadiness(NamedTuple):
    """Standard errors of weights (a row a score), and how often each is not 0."""

    errors: Matrix
    in_use: Vector


def weight_steadiness(
    model: Any,
    X: Any,
    y: Any,
    weights: Vector | None = None,
    *,
    seed: int = 0,
    seconds: float = 2.0,
) -> Steadiness | None:
    """Fit a linear model again and again, on rows drawn from its own with repetition.

    The first draw tells the pace: None if all would not fit into the `seconds`, or if a
    draw cannot be fitted. Rows of every class are drawn apart, so that none gets lost.
    """
    rng = np.random.default_rng([seed, 7])
    found: list[Matrix] = []
    for _ in range(DRAWS):
        rows = _drawn(rng, y)
        began = time.perf_counter()
        try:
            with collecting():
                again = fit_one(
                    clone(model),
                    X[rows],
                    y[rows],
                    None if weights is None else weights[rows],
                )
        except (ArithmeticError, ValueError, InfimumError):
            return None
        if not found and (time.perf_counter() - began) * (DRAWS - 1) > seconds:
            return None
        found.append(np.atleast_2d(np.asarray(again.coef_, dtype=float)))
    drawn = np.array(found)
    return Steadiness(drawn.std(axis=0, ddof=1), (drawn != 0).any(axis=1).mean(axis=0))


def _drawn(rng: np.random.Generator, y: Any) -> Indices:
    if y.dtype.kind == "f":
        return np.asarray(rng.integers(0, len(y), len(y)))
    places = [np.flatnonzero(y == label) for label in np.unique(y)]
    return np.sort(np.concatenate([rng.choice(here, len(here)) for here in places]))
