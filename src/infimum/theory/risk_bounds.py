"""Bounds of a risk from losses measured on rows that the model has not seen."""

from math import log, sqrt

import numpy as np
from numpy.typing import ArrayLike
from scipy.stats import beta

from infimum.errors import DataError
from infimum.parameters import check_domain, opened, whole
from infimum.theory.betting import betting_guarantee
from infimum.theory.guarantee import Guarantee
from infimum.typing import Vector

__all__ = [
    "bernstein_guarantee",
    "binomial_guarantee",
    "hoeffding_guarantee",
    "loss_guarantee",
]


def binomial_guarantee(
    errors: int,
    n: int,
    confidence: float = 0.95,
    *,
    comparisons: int = 1,
    quantity: str = "error rate",
) -> Guarantee:
    """Bound an error rate from a count of errors, exactly (Clopper and Pearson).

    The risk of being wrong, ``1 - confidence``, is shared evenly among `comparisons`
    models, so that the statement holds for whichever of them was chosen on these rows.

    Examples
    --------
    >>> from infimum.evaluation import binomial_guarantee
    >>> one = binomial_guarantee(5, 100)
    >>> round(one.bound, 4)
    0.1023
    >>> round(binomial_guarantee(5, 100, comparisons=20).bound, 4)
    0.1441
    """
    check_domain("binomial_guarantee's n", n, whole(1))
    check_domain("binomial_guarantee's errors", errors, whole(0, n))
    risk = _shared_risk(confidence, comparisons)
    high = 1.0 if errors == n else float(beta.ppf(1 - risk, errors + 1, n - errors))
    return Guarantee(
        quantity=quantity,
        method="Clopper-Pearson",
        estimate=errors / n,
        bound=high,
        confidence=confidence,
        n=int(n),
        comparisons=int(comparisons),
        slack=high - errors / n,
    )


def hoeffding_guarantee(
    losses: ArrayLike,
    confidence: float = 0.95,
    *,
    low: float = 0.0,
    high: float = 1.0,
    comparisons: int = 1,
    quantity: str = "mean loss",
) -> Guarantee:
    r"""Bound the mean of a bounded loss by Hoeffding's inequality.

    .. math:: R \le \hat R + (b-a)\sqrt{\frac{\log(m/\delta)}{2n}}

    for all of m models at once, with losses in [a, b].

    Examples
    --------
    >>> from infimum.evaluation import hoeffding_guarantee
    >>> round(hoeffding_guarantee([0.0, 1.0] * 500).slack, 4)
    0.0387
    """
    values = _bounded(losses, low, high)
    risk = _shared_risk(confidence, comparisons)
    slack = (high - low) * sqrt(log(1 / risk) / (2 * len(values)))
    return _guarantee(
        "Hoeffding", values, slack, (confidence, comparisons, high, quantity)
    )


def bernstein_guarantee(
    losses: ArrayLike,
    confidence: float = 0.95,
    *,
    low: float = 0.0,
    high: float = 1.0,
    comparisons: int = 1,
    quantity: str = "mean loss",
) -> Guarantee:
    r"""Bound the mean of a bounded loss by its own variance.

    .. math:: R \le \hat R + \sqrt{\frac{2 \hat V \log(2m/\delta)}{n}}
        + (b-a)\frac{7\log(2m/\delta)}{3(n-1)}

    with the sample variance V̂: far below Hoeffding's bound when most losses are small.

    Examples
    --------
    >>> import numpy as np
    >>> from infimum.evaluation import bernstein_guarantee, hoeffding_guarantee
    >>> losses = np.linspace(0.0, 0.02, 2000)
    >>> tight, loose = bernstein_guarantee(losses), hoeffding_guarantee(losses)
    >>> round(tight.bound, 4), round(loose.bound, 4)
    (0.0147, 0.0374)

    References
    ----------
    A. Maurer and M. Pontil (2009), Empirical Bernstein bounds and sample variance
    penalization, COLT.
    """
    values = _bounded(losses, low, high)
    if len(values) < 2:  # noqa: PLR2004
        raise DataError("bernstein_guarantee needs at least 2 losses, got 1.")
    doubt = log(2 / _shared_risk(confidence, comparisons))
    spread = sqrt(2 * float(values.var(ddof=1)) * doubt / len(values))
    slack = spread + (high - low) * 7 * doubt / (3 * (len(values) - 1))
    settings = (confidence, comparisons, high, quantity)
    return _guarantee("empirical Bernstein", values, slack, settings)


def loss_guarantee(
    losses: ArrayLike,
    confidence: float = 0.95,
    *,
    low: float = 0.0,
    high: float = 1.0,
    comparisons: int = 1,
    quantity: str | None = None,
) -> Guarantee:
    """Bound the mean of a bounded loss by the best inequality for it.

    Losses that are 0 or 1 are counted and bounded exactly. Others are bounded by betting
    with the stakes of the empirical Bernstein bound, which is usually half as far from
    the truth as that bound or Hoeffding's.

    Examples
    --------
    >>> from infimum.evaluation import loss_guarantee
    >>> loss_guarantee([0, 0, 1, 0] * 50).method
    'Clopper-Pearson'
    >>> print(loss_guarantee([0, 0, 1, 0] * 50).sentence)
    200 unseen rows gave an error rate of 25 %; with 95 % confidence the true error rate is at most 30.5 %.
    """  # noqa: E501
    values = _bounded(losses, low, high)
    if low == 0.0 and high == 1.0 and np.isin(values, (0.0, 1.0)).all():
        return binomial_guarantee(
            int(values.sum()),
            len(values),
            confidence,
            comparisons=comparisons,
            quantity=quantity or "error rate",
        )
    return betting_guarantee(
        values,
        confidence,
        low=low,
        high=high,
        comparisons=comparisons,
        quantity=quantity or "mean loss",
    )


def _shared_risk(confidence: float, comparisons: int) -> float:
    check_domain("The confidence of a guarantee", confidence, opened(0, 1))
    check_domain("The comparisons of a guarantee", comparisons, whole(1))
    return (1 - confidence) / comparisons


def _bounded(losses: ArrayLike, low: float, high: float) -> Vector:
    values = np.asarray(losses, dtype=np.float64)
    if values.ndim != 1 or len(values) == 0:
        raise DataError(
            f"A guarantee needs one loss a row, got an array of shape {values.shape}."
        )
    if not (np.isfinite(values).all() and low < high):
        raise DataError("A guarantee needs finite losses and low < high.")
    if values.min() < low or values.max() > high:
        raise DataError(
            f"The losses reach from {values.min():.4g} to {values.max():.4g}, outside "
            f"[{low:g}, {high:g}]; clip them or state their true range."
        )
    return values


def _guarantee(
    method: str,
    values: Vector,
    slack: float,
    settings: tuple[float, int, float, str],
) -> Guarantee:
    confidence, comparisons, high, quantity = settings
    estimate = float(values.mean())
    return Guarantee(
        quantity=quantity,
        method=method,
        estimate=estimate,
        bound=min(estimate + slack, float(high)),
        confidence=confidence,
        n=len(values),
        comparisons=int(comparisons),
        largest=float(high),
        slack=slack,
    )
