"""Bounds by betting: wealth that grows under a hypothesis refutes it."""

from math import log

import numpy as np
from numpy.typing import ArrayLike

from infimum.errors import DataError
from infimum.parameters import check_domain, opened, positive, whole
from infimum.theory.guarantee import Guarantee
from infimum.typing import Vector

__all__ = ["betting_guarantee"]

#: The largest stake, as a share of what would ruin the gambler.
_BOLDEST = 0.9
_STEPS = 50
_DRAWN = "rows are drawn independently from one law"
_WEIGHED = f"{_DRAWN} together with their weights; "
_CAPPED = "a row heavier than all that were learned from counts as the heaviest of them"
_SEEN = "none is heavier than the heaviest of those measured"


def betting_guarantee(
    losses: ArrayLike,
    confidence: float = 0.95,
    *,
    low: float = 0.0,
    high: float = 1.0,
    comparisons: int = 1,
    quantity: str = "mean loss",
    weights: ArrayLike | None = None,
    heaviest: float | None = None,
) -> Guarantee:
    r"""Bound the mean of a bounded loss, weighted or not, by a fair game.

    Whoever claims that the mean is c must accept bets at odds that are fair then. The
    gambler stakes :math:`λ_i`, chosen before row i is seen, on losses below c:

    .. math:: K_i(c) = \prod_{j \le i} \bigl(1 - λ_j w_j (\ell_j - c)\bigr),
        \qquad w_j \in [0, 1]

    For the true :math:`c = E[w\ell]/E[w]` the wealth is a martingale with mean 1, which
    exceeds :math:`m/δ` at any time with probability at most :math:`δ/m`. The bound is
    the largest c that is not refuted so: no approximation, whatever the law. Weights
    are part of the draw. Stakes follow the variance, so that the bound is usually well
    below the empirical Bernstein bound.

    Parameters
    ----------
    losses : array-like of shape (n,)
    low, high : float
        The range of a loss.
    comparisons : int, default=1
        Among how many models one was chosen.
    weights : array-like of shape (n,), optional
        For how many rows each one stands.
    heaviest : float, optional
        The largest weight that there can be, known beforehand; heavier rows count as
        that. None takes the largest one given, which must then be no accident.

    Examples
    --------
    >>> import numpy as np
    >>> from infimum.evaluation import bernstein_guarantee, betting_guarantee
    >>> losses = np.tile([0.0, 0.1, 0.3], 60)
    >>> tight, loose = betting_guarantee(losses), bernstein_guarantee(losses)
    >>> round(tight.bound, 2), round(loose.bound, 2)
    (0.16, 0.21)

    References
    ----------
    I. Waudby-Smith and A. Ramdas (2024), Estimating means of bounded random variables
    by betting, JRSS B 86.
    """
    check_domain("betting_guarantee's confidence", confidence, opened(0, 1))
    check_domain("betting_guarantee's comparisons", comparisons, whole(1))
    values, counts = _scaled(losses, weights, low, high, heaviest)
    # The order of a table is none of the law; a fixed shuffle is.
    order = np.random.default_rng(0).permutation(len(values))
    doubt = log(comparisons / (1 - confidence))
    estimate = float(np.average(values, weights=counts)) if counts.any() else 1.0
    # A lucky beginning may refute more than all rows together would.
    bound = max(estimate, _largest(values[order], counts[order], doubt))
    unit, known = high - low, _SEEN if heaviest is None else _CAPPED
    return Guarantee(
        quantity=quantity,
        method="empirical Bernstein by betting",
        estimate=low + unit * estimate,
        bound=min(low + unit * bound, float(high)),
        confidence=confidence,
        n=len(values),
        comparisons=int(comparisons),
        largest=float(high),
        slack=unit * (bound - estimate),
        assumption=_DRAWN if weights is None else _WEIGHED + known,
    )


def _scaled(
    losses: ArrayLike,
    weights: ArrayLike | None,
    low: float,
    high: float,
    heaviest: float | None,
) -> tuple[Vector, Vector]:
    """Return losses and weights as numbers from 0 to 1."""
    values = np.asarray(losses, dtype=np.float64)
    counts = np.ones(len(values)) if weights is None else np.asarray(weights, float)
    if values.ndim != 1 or len(values) == 0 or counts.shape != values.shape:
        raise DataError(
            "betting_guarantee needs one loss and one weight a row, got shapes "
            f"{values.shape} and {counts.shape}."
        )
    if not low < high or not np.all((values >= low) & (values <= high)):
        raise DataError(f"betting_guarantee needs losses in [{low:g}, {high:g}].")
    if not np.all((counts >= 0) & np.isfinite(counts)):
        raise DataError("betting_guarantee needs weights that are finite and >= 0.")
    top = float(counts.max(initial=0.0)) if heaviest is None else heaviest
    if heaviest is not None:
        check_domain("betting_guarantee's heaviest", heaviest, positive)
    return (values - low) / (high - low), np.minimum(counts / (top or 1.0), 1.0)


def _largest(values: Vector, weights: Vector, doubt: float) -> float:
    """Return the largest mean that the gambler does not refute."""
    stakes = _stakes(values, weights, doubt)
    given, taken = stakes * weights, stakes * weights * values

    def refuted(mean: float) -> bool:
        wealth = np.cumsum(np.log1p(given * mean - taken))
        return bool(wealth.max() >= doubt)

    # Every factor grows with the mean: what is refuted is refuted from there on.
    inside, outside = 0.0, 1.0
    if not refuted(outside):
        return 1.0
    for _ in range(_STEPS):
        middle = 0.5 * (inside + outside)
        inside, outside = (inside, middle) if refuted(middle) else (middle, outside)
    return outside


def _stakes(values: Vector, weights: Vector, doubt: float) -> Vector:
    """Return stakes that suit the variance seen before each row."""
    n, places = len(values), np.arange(1, len(values) + 1)
    weighed, total = np.cumsum(weights * values), np.cumsum(weights)
    # One row that lies in the middle stands for what is not known yet. Its weight may
    # rest on earlier rows only, or the game would not be fair.
    sizes = (1 + total) / (places + 1)
    middles = (0.5 * sizes + weighed) / (sizes + total)
    squares = np.square(weights * (values - middles))
    before = np.concatenate([[0.0], np.cumsum(squares)[:-1]])
    earlier = np.concatenate([[1.0], sizes[:-1]])
    variances = (0.25 * earlier**2 + before) / places
    return np.asarray(np.minimum(np.sqrt(2 * doubt / (n * variances)), _BOLDEST))
