"""Shapley values by the best way that a model allows."""

from typing import Any

from infimum.errors import IncompatibleError
from infimum.explanation._encoding import last_step
from infimum.explanation._tree_shapley import tree_attribution
from infimum.explanation._vote_shapley import vote_attribution
from infimum.explanation.attribution import Attribution
from infimum.explanation.linear_shapley import linear_shapley
from infimum.explanation.sampled_shapley import model_shapley

__all__ = ["shapley_values"]


def shapley_values(
    model: Any,
    X: Any,
    background: Any = None,
    *,
    target: Any = None,
    rounds: int = 2,
    seed: int = 0,
) -> Attribution:
    """Share the answers of a model out among the columns of the rows `X`.

    Linear models are shared out exactly on their scores (the logarithm of predictions
    where that is linear), sums of trees on theirs (by the training rows at every split
    if no background is given), and averages of such models as the average of their
    members. Everything else is asked about mixed rows: exactly for few columns, sampled
    with standard errors for many.

    Parameters
    ----------
    model : fitted estimator, or a pipeline that ends in one
    X : array, sparse matrix, pandas or polars frame
    background : rows, default=None
        Rows that stand for not knowing a column's value; None is `X`, of which at most
        32 rows are drawn where the model must be asked.
    target : label, optional
        The class to explain; None is the last one.
    rounds, seed : see `model_shapley`

    Examples
    --------
    >>> import numpy as np
    >>> from infimum.explanation import shapley_values
    >>> from infimum.models.linear import LogisticRegression
    >>> X = np.random.default_rng(0).standard_normal((40, 2))
    >>> model = LogisticRegression().fit(X, X[:, 0] > 0)
    >>> found = shapley_values(model, X)
    >>> found.method, bool(abs(found.values.sum(1) + found.base - found.answers).max() < 1e-9)
    ('linear', True)
    """  # noqa: E501
    found = _exactly(model, X, background, target=target)
    if found is not None:
        return found
    rows = 32 if background is None else background
    return model_shapley(model, X, rows, rounds=rounds, target=target, seed=seed)


def _exactly(
    model: Any, X: Any, background: Any, *, target: Any = None
) -> Attribution | None:
    """Return the attribution by the structure of the model; None if it has none."""
    last = last_step(model)
    if hasattr(last, "coef_") and getattr(last, "kernel", "linear") == "linear":
        try:
            found = linear_shapley(model, X, background, target=target)
        except IncompatibleError:
            # Weights, but none for the score of this class.
            return None
        # A sum that is neither the prediction nor its logarithm explains neither.
        explained = hasattr(last, "classes_") or found.response != "score"
        return found if explained else None
    vote = vote_attribution(model, X, background, target=target, explain=_exactly)
    return vote or tree_attribution(model, X, background, target=target)
