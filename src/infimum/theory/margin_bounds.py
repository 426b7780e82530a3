"""Bounds from margins: what the training rows alone prove about a large margin."""

from collections.abc import Sequence
from math import ceil, log, log2, sqrt
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from sklearn.pipeline import Pipeline

from infimum.errors import DataError, IncompatibleError
from infimum.parameters import check_domain, opened, whole
from infimum.theory.guarantee import Guarantee
from infimum.typing import Vector

__all__ = ["margin_guarantee", "rademacher_guarantee"]

#: Ratios of norm to margin that share the risk: powers of 2 in this range.
_SMALLEST, _LARGEST = -32, 31
_N_RATIOS = _LARGEST - _SMALLEST + 1
_MOST_GRAM_ENTRIES = 1 << 24


class _Function(NamedTuple):
    """A real function in the space of a kernel, as its bound sees it."""

    scores: Vector
    norm: float
    squared_lengths: Vector


def rademacher_guarantee(
    margins: ArrayLike,
    norm: float,
    squared_lengths: ArrayLike,
    confidence: float = 0.95,
    *,
    radius: float | None = None,
    comparisons: int = 1,
) -> Guarantee:
    r"""Bound the error rate of a function from its margins on its own training rows.

    For every margin ρ the error is at most the ramp loss :math:`\min(1, (1 -
    yf(x)/ρ)_+)`, which is 1/ρ-Lipschitz, so that the Rademacher complexity of the ball
    of functions of norm Λ enters divided by ρ:

    .. math:: R \le \hat R_ρ + \frac{2Λ}{ρ}\frac{\sqrt{\sum_i k(x_i, x_i)}}{n}
        + 3\sqrt{\frac{\log(2m/δ)}{2n}}

    If a radius :math:`r \ge \sqrt{k(x, x)}` is known beforehand the middle term is
    :math:`2Λr/(ρ\sqrt n)` and the last one :math:`\sqrt{\log(m/δ)/(2n)}`. The ratio Λ/ρ
    is chosen on the data among 64 powers of 2, which share the risk (they are in m
    with the models compared).

    Parameters
    ----------
    margins : array-like of shape (n,)
        y·f(x) on the training rows, y in {-1, +1}.
    norm : float
        Norm of f in the space of the kernel; ‖w‖ for a linear function.
    squared_lengths : array-like of shape (n,)
        k(x, x) of the training rows; ‖x‖² for a linear function.
    radius : float, optional
        A bound on √k(x, x) that holds for every possible row.

    Examples
    --------
    >>> import numpy as np
    >>> from infimum.evaluation import rademacher_guarantee
    >>> wide = rademacher_guarantee(np.full(40_000, 1.0), 1.0, np.ones(40_000))
    >>> wide.estimate, round(wide.bound, 3), wide.vacuous
    (0.0, 0.04, False)
    >>> rademacher_guarantee(np.full(40_000, 1e-3), 1.0, np.ones(40_000)).vacuous
    True

    References
    ----------
    P. Bartlett and S. Mendelson (2002), Rademacher and Gaussian complexities, JMLR 3.
    """
    values = np.asarray(margins, dtype=np.float64)
    lengths = np.asarray(squared_lengths, dtype=np.float64)
    check_domain("rademacher_guarantee's confidence", confidence, opened(0, 1))
    check_domain("rademacher_guarantee's comparisons", comparisons, whole(1))
    n = len(values)
    if n == 0 or lengths.shape != values.shape:
        raise DataError(
            f"rademacher_guarantee needs a margin and a length for each row, got "
            f"{values.shape} and {lengths.shape}."
        )
    doubt = log(_N_RATIOS * comparisons / (1 - confidence))
    if radius is None:
        complexity = sqrt(float(lengths.sum())) / n
        slack = 3 * sqrt((doubt + log(2)) / (2 * n))
    else:
        complexity, slack = radius / sqrt(n), sqrt(doubt / (2 * n))
    ratio, risk = _best_ratio(values, norm, 2 * complexity)
    capacity = 2 * ratio * complexity
    return Guarantee(
        quantity="error rate",
        method="Rademacher margin bound",
        estimate=float(np.mean(values <= 0)),
        bound=risk + capacity + slack,
        confidence=confidence,
        n=n,
        comparisons=int(comparisons),
        capacity=capacity,
        slack=slack,
        rows="training rows",
        assumption="rows are drawn independently; features are fixed beforehand",
    )


def margin_guarantee(
    model: Any,
    X: Any,
    y: ArrayLike,
    confidence: float = 0.95,
    *,
    radius: float | None = None,
    comparisons: int = 1,
) -> Guarantee:
    """Bound the error rate of a linear or kernel classifier by its training margins.

    The intercept counts as the weight of a constant feature 1. In a pipeline the steps
    before the classifier count as features that were fixed beforehand.

    Parameters
    ----------
    model : estimator
        A fitted classifier of two classes with `coef_`, or with `dual_coef_` and
        `kernel_`; or a pipeline that ends in one.
    X, y : the rows the model was fitted on.

    Examples
    --------
    >>> import numpy as np
    >>> from infimum.evaluation import margin_guarantee
    >>> from infimum.models.linear import LogisticRegression
    >>> X = np.repeat([[-1.0, 0.0], [1.0, 0.0]], 5000, axis=0)
    >>> y = np.repeat([0, 1], 5000)
    >>> promise = margin_guarantee(LogisticRegression().fit(X, y), X, y)
    >>> round(promise.bound, 2), promise.vacuous
    (0.09, False)
    """
    last = model[-1] if isinstance(model, Pipeline) else model
    samples = model[:-1].transform(X) if isinstance(model, Pipeline) else X
    classes: Any = getattr(last, "classes_", ())
    if len(classes) != 2:  # noqa: PLR2004
        raise IncompatibleError(
            f"margin_guarantee needs a classifier of 2 classes; "
            f"{type(last).__name__} has {len(classes)}."
        )
    found = _function_of(last, samples)
    signs = np.where(np.asarray(y) == classes[1], 1.0, -1.0)
    extended = None if radius is None else sqrt(radius**2 + 1.0)
    return rademacher_guarantee(
        signs * found.scores,
        found.norm,
        found.squared_lengths,
        confidence,
        radius=extended,
        comparisons=comparisons,
    )


def _best_ratio(margins: Vector, norm: float, price: float) -> tuple[float, float]:
    """Return the ratio Λ/ρ with the least ramp loss plus capacity, and that loss."""
    unit = margins / norm if norm > 0 else np.zeros_like(margins)
    # Ratios whose capacity alone exceeds 1 cannot help: a vacuous bound is at hand.
    most = _LARGEST if price == 0 else min(_LARGEST, ceil(-log2(price)) + 1)
    ratios: Sequence[float] = [2.0**k for k in range(_SMALLEST, max(most, -31) + 1)]
    risks = [float(np.clip(1 - ratio * unit, 0, 1).mean()) for ratio in ratios]
    totals = [risk + ratio * price for risk, ratio in zip(risks, ratios, strict=True)]
    best = int(np.argmin(totals))
    return ratios[best], risks[best]


def _function_of(model: Any, X: Any) -> _Function:
    kernel = getattr(model, "kernel_", None)
    if hasattr(model, "dual_coef_") and kernel is not None:
        squared = _squared_norm(model, kernel)
        lengths: Vector = np.asarray(kernel.diagonal(X), dtype=np.float64)
    elif hasattr(model, "coef_"):
        squared = float(np.sum(np.square(np.asarray(model.coef_, dtype=np.float64))))
        lengths = _squared_lengths(X)
    else:
        raise IncompatibleError(
            f"margin_guarantee needs a linear or kernel classifier; "
            f"{type(model).__name__} shows neither coef_ nor dual_coef_ and kernel_."
        )
    shift = float(np.ravel(getattr(model, "intercept_", 0.0))[0])
    scores = np.asarray(model.decision_function(X), dtype=np.float64)
    return _Function(scores, sqrt(squared + shift**2), lengths + 1.0)


def _squared_norm(model: Any, kernel: Any) -> float:
    """Return αᵀKα, in blocks of rows so that memory stays bounded."""
    weights = np.ravel(np.asarray(model.dual_coef_, dtype=np.float64))
    things = getattr(model, "support_vectors_", None)
    things = model.X_fit_ if things is None else things
    step = max(1, _MOST_GRAM_ENTRIES // len(weights))
    blocks = [slice(i, i + step) for i in range(0, len(weights), step)]
    total = sum(
        float(weights[rows] @ (np.asarray(kernel(things[rows], things)) @ weights))
        for rows in blocks
    )
    return max(total, 0.0)


def _squared_lengths(X: Any) -> Vector:
    if hasattr(X, "tocsr"):
        squares = X.tocsr().astype(np.float64).power(2)
        return np.asarray(squares.sum(axis=1), dtype=np.float64).ravel()
    return np.asarray(np.square(np.asarray(X, dtype=np.float64)).sum(axis=1))
