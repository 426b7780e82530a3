"""Exact Shapley values of linear models, through an encoder where there is one."""

from typing import Any

import numpy as np

from infimum.errors import IncompatibleError
from infimum.explanation._encoding import encoded, last_step, scale_of, summed
from infimum.explanation.attribution import Attribution
from infimum.typing import Matrix, Vector

__all__ = ["linear_shapley", "linear_weights"]

_TWO = 2


def linear_shapley(
    model: Any, X: Any, background: Any = None, *, target: Any = None
) -> Attribution:
    r"""Share a linear score out among its columns, exactly.

    .. math:: φ_j(x) = w_j (x_j - \bar x_j)

    with the averages of the background rows. Each encoded feature is made of one
    column, so in a pipeline of a `TableEncoder` and a linear model the values of a
    column are the sum over its features, and stay exact.

    Parameters
    ----------
    model : fitted linear model, or a pipeline that ends in one
    X : rows to explain
    background : rows, default=None
        Rows that stand for not knowing a column's value; None is `X`.
    target : label, optional
        The class whose score is shared out; None is the last one.

    Examples
    --------
    >>> import numpy as np
    >>> from infimum.explanation import linear_shapley
    >>> from infimum.models.linear import LinearRegression
    >>> X = np.array([[0.0, 1.0], [2.0, 0.0], [4.0, 2.0]])
    >>> model = LinearRegression().fit(X, X @ [3.0, -1.0])
    >>> linear_shapley(model, X).values.round(9) + 0.0
    array([[-6.,  0.],
           [ 0.,  1.],
           [ 6., -1.]])
    """
    last = last_step(model)
    features, names, owners = encoded(model, X)
    means = features.mean(axis=0)
    if background is not None:
        means = encoded(model, background)[0].mean(axis=0)
    w, b = linear_weights(last, target)
    values = summed((features - means) * w, owners, len(names))
    return Attribution(
        names=names,
        base=float(means @ w + b),
        values=values,
        errors=np.zeros_like(values),
        answers=features @ w + b,
        response=_scale(last, features, features @ w + b),
        method="linear",
    )


def _scale(model: Any, features: Matrix, sums: Vector) -> str:
    """Say what the sums are: generalised models have a link behind them."""
    if hasattr(model, "classes_") or not hasattr(model, "predict"):
        return "score" if hasattr(model, "classes_") else "prediction"
    predicted = np.asarray(model.predict(features), dtype=np.float64)
    # Of several outputs the weights are those of the first.
    return scale_of(predicted.reshape(len(sums), -1)[:, 0], sums)


def linear_weights(model: Any, target: Any = None) -> tuple[Matrix, float]:
    """Return the weights and the intercept of a linear model's score for a class."""
    if not hasattr(model, "coef_") or getattr(model, "kernel", "linear") != "linear":
        raise IncompatibleError(
            f"{type(model).__name__} is no linear model: it has no coef_."
        )
    weights = np.atleast_2d(np.asarray(model.coef_, dtype=np.float64))
    shifts = np.ravel(np.asarray(getattr(model, "intercept_", 0.0), dtype=np.float64))
    classes = getattr(model, "classes_", None)
    if classes is None:
        return weights[0], float(shifts[0])
    # Of three classes there are as many pairs: a row for a pair looks like a class's.
    if hasattr(model, "support_vectors_") and len(classes) > _TWO:
        raise IncompatibleError(
            f"{type(model).__name__} compares its classes in pairs and has no weights "
            "for one of them."
        )
    label = classes[-1] if target is None else target
    place = int(np.flatnonzero(np.asarray(classes) == label)[0])
    if len(weights) > 1:
        return weights[place], float(np.broadcast_to(shifts, len(weights))[place])
    # One score for ordered classes grows towards the last one and away from the first.
    if place == len(classes) - 1:
        return weights[0], float(shifts[-1])
    if place > 0:
        raise IncompatibleError(
            f"{type(model).__name__} has one score for all of its ordered classes, and "
            f"{label!r} is neither the first nor the last of them."
        )
    return -weights[0], -float(shifts[0])
