"""How steady weights are: the same fit on other draws of the training rows."""

import time
import warnings
from typing import Any, NamedTuple

import numpy as np
from sklearn.base import clone

from infimum.errors import InfimumError
from infimum.models.warnings import UncertifiedWarning
from infimum.typing import Indices, Matrix, Vector

__all__ = ["DRAWS", "Steadiness", "linear_scores", "parts_of", "weight_steadiness"]

#: Draws of the rows; a standard error of so many is right within an eighth.
DRAWS = 30
#: Where there is less time: a standard error of so many is right within a quarter.
_FEWEST = 10


def linear_scores(model: Any) -> tuple[Matrix, Vector]:
    """Return the weights of a linear model, a row a score, and where the scores start.

    A label that is always the same has no weights and an infinite start, so that every
    other label keeps its row.
    """
    weights, starts = [], []
    for part in parts_of(model):
        if isinstance(part, float):
            weights.append(np.zeros((1, model.n_features_in_)))
            starts.append(np.array([np.inf if part else -np.inf]))
        else:
            weights.append(np.atleast_2d(np.asarray(part.coef_, dtype=float)))
            starts.append(np.ravel(np.asarray(part.intercept_, dtype=float)))
    return np.vstack(weights), np.hstack(starts)


def parts_of(model: Any) -> list[Any]:
    """Return the models of all labels, or the model itself if it answers once a row."""
    return list(model.estimators_) if getattr(model, "multilabel_", False) else [model]


class Steadiness(NamedTuple):
    """Standard errors of weights (a row a score), and how often each is not 0."""

    errors: Matrix
    in_use: Vector
    draws: int


def weight_steadiness(
    model: Any,
    X: Any,
    y: Any,
    weights: Vector | None = None,
    *,
    groups: Any = None,
    seed: int = 0,
    seconds: float = 2.0,
) -> Steadiness | None:
    """Fit a linear model again and again, on rows drawn from its own with repetition.

    The first draw tells the pace: a third of the draws has to do if all would not fit
    into the `seconds`; None if not even these do, or if a draw cannot be fitted. Rows
    of every class are drawn apart, so that none gets lost; of `groups`, whose rows
    resemble each other, whole ones are drawn.
    """
    rng = np.random.default_rng([seed, 7])
    places = _strata(y, groups)
    found: list[Matrix] = []
    draws = DRAWS
    while len(found) < draws:
        rows = _drawn(rng, places, whole=groups is not None)
        began = time.perf_counter()
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", UncertifiedWarning)
                counts = {} if weights is None else {"sample_weight": weights[rows]}
                again = clone(model).fit(X[rows], y[rows], **counts)
            found.append(linear_scores(again)[0])
            if found[-1].shape != found[0].shape:  # a class was lost with its groups
                return None
        except (ArithmeticError, ValueError, AttributeError, InfimumError):
            return None
        if len(found) == 1:
            draws = _affordable(time.perf_counter() - began, seconds)
    if not draws:
        return None
    drawn = np.array(found)
    often = (drawn != 0).any(axis=1).mean(axis=0)
    return Steadiness(drawn.std(axis=0, ddof=1), often, draws)


def _affordable(pace: float, seconds: float) -> int:
    """Return how many draws there is time for, at so many seconds each."""
    able = [draws for draws in (DRAWS, _FEWEST) if (draws - 1) * pace <= seconds]
    return next(iter(able), 0)


def _strata(y: Any, groups: Any) -> list[Indices]:
    """Return the rows that are drawn apart: of every class, or of every group."""
    if groups is None and (y.ndim > 1 or y.dtype.kind == "f"):
        return [np.arange(len(y))]
    codes = np.unique(y if groups is None else groups, return_inverse=True)[1]
    order = np.argsort(codes, kind="stable")
    return np.split(order, np.flatnonzero(np.diff(codes[order])) + 1)


def _drawn(rng: np.random.Generator, places: list[Indices], *, whole: bool) -> Indices:
    if whole:
        taken = [places[k] for k in rng.integers(0, len(places), len(places))]
    else:
        taken = [rng.choice(here, len(here)) for here in places]
    return np.sort(np.concatenate(taken))
