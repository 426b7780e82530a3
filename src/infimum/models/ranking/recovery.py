"""How many comparisons recover a ranking, and how well."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, permutations
from math import e, log, sqrt
from typing import Any

import numpy as np

from infimum.errors import DataError
from infimum.parameters import check_domain, closed, opened, positive, whole

__all__ = [
    "Recovery",
    "fano_bound",
    "pairs_shattered",
    "permutation_risk_bound",
    "recovery",
    "repeats_needed",
    "separation",
    "sorting_comparisons",
    "tournament_comparisons",
]

#: Thresholds of the theorem: above the one counting is right, below the other no
#: method can always be.
ENOUGH, TOO_LITTLE = 8.0, 1.0 / 7.0


def separation(scores: Any, k: int, repeats: float, p_obs: float = 1.0) -> float:
    r"""Return :math:`Ψ_k = (τ_k - τ_{k+1}) \sqrt{n\, p\, r / \log n}`.

    Parameters
    ----------
    scores : array-like of shape (n_items,)
        τ, the mean chance of each item to win.
    k : int
        How many items are the top.
    repeats, p_obs
        r and p of the model of `observe`.

    Examples
    --------
    >>> round(separation([0.9, 0.5, 0.1], 1, 100), 4)
    6.61
    """
    tau = np.sort(np.asarray(scores, dtype=np.float64))[::-1]
    check_domain("separation: k", k, whole(1, len(tau) - 1))
    check_domain("separation: repeats", repeats, positive)
    check_domain("separation: p_obs", p_obs, closed(0, 1))
    n = len(tau)
    return float(tau[k - 1] - tau[k]) * sqrt(n * p_obs * repeats / log(n))


@dataclass(frozen=True)
class Recovery:
    """What a separation promises.

    Attributes
    ----------
    psi : float
    top_k, full : float or None
        Least probability that counting finds the top k; that it finds the whole order
        if all separations are as large. None where nothing is promised.
    hopeless : bool
        Whether some model with this separation misleads any method with probability
        1/7 or more.
    """

    psi: float
    top_k: float | None
    full: float | None
    hopeless: bool


def recovery(psi: float, n: int, *, seen: float = 1.0) -> Recovery:
    """Return what is known of n items at separation Ψ.

    `seen` is the expected number of comparisons of a pair, r·p; below log n/(2n) the
    lower bound says nothing.

    Examples
    --------
    >>> recovery(8.0, 10).top_k == 1 - 10**-14, recovery(0.1, 10).hopeless
    (True, True)
    """
    check_domain("recovery: n", n, whole(2))
    enough = psi >= ENOUGH
    hopeless = psi <= TOO_LITTLE and n >= 7 and seen > log(n) / (2 * n)  # noqa: PLR2004
    top, full = 1.0 - float(n) ** -14, 1.0 - float(n) ** -13
    return Recovery(psi, top if enough else None, full if enough else None, hopeless)


def repeats_needed(gap: float, n: int, p_obs: float = 1.0) -> float:
    """Return the r for which a gap of τ makes Ψ = 8: 64 log n/(n p gap²).

    Examples
    --------
    >>> round(repeats_needed(1 / 10, 10), 1), round(repeats_needed(1 / 50, 50), 1)
    (1473.7, 12518.5)
    """
    check_domain("repeats_needed: gap", gap, positive)
    check_domain("repeats_needed: n", n, whole(2))
    check_domain("repeats_needed: p_obs", p_obs, positive)
    return ENOUGH**2 * log(n) / (n * p_obs * gap**2)


def fano_bound(n: int, k: int, gap: float, repeats: float, p_obs: float = 1.0) -> float:
    """Return the least chance of error in telling which hard instance was drawn.

    Fano: 1 - (I + log 2)/log(n - k + 1), with the information I bounded by the mean
    divergence of two of the models of `hard_instance`.

    Examples
    --------
    >>> round(fano_bound(20, 1, 0.02, 1), 3)
    0.758
    """
    check_domain("fano_bound: n", n, whole(2))
    check_domain("fano_bound: k", k, whole(1, n - 1))
    check_domain("fano_bound: gap", gap, opened(0, 0.5))
    many = n - k + 1
    from infimum.models.ranking.noise_models import hard_instance

    one, other = (hard_instance(n, k, gap, a).P for a in (k - 1, min(k, n - 1)))
    i, j = np.triu_indices(n, 1)
    p, q = one[i, j], other[i, j]
    apart = p * np.log(p / q) + (1 - p) * np.log((1 - p) / (1 - q))
    # Two different instances out of so many: equal ones tell nothing.
    information = repeats * p_obs * float(apart.sum()) * (many - 1) / many
    return max(0.0, 1.0 - (information + log(2)) / log(many))


def pairs_shattered(n: int, size: int) -> int:
    """Return how many sets of so many pairs the orders of n items shatter.

    By trying all; those of n - 1 pairs are the trees, and there are none of n: the VC
    dimension of orders is n - 1.

    Examples
    --------
    >>> pairs_shattered(4, 3), pairs_shattered(4, 4)
    (16, 0)
    """
    check_domain("pairs_shattered: n", n, whole(2, 7))
    check_domain("pairs_shattered: size", size, whole(1))
    places = np.argsort(np.array(list(permutations(range(n)))), axis=1)
    pairs = list(combinations(range(n), 2))
    answers = np.array([places[:, i] < places[:, j] for i, j in pairs]).T
    found = 0
    for chosen in combinations(range(len(pairs)), size):
        codes = answers[:, chosen] @ (1 << np.arange(size))
        found += len(np.unique(codes)) == 1 << size
    return int(found)


def permutation_risk_bound(
    risk: float, n: int, comparisons: int, delta: float = 0.05
) -> float:
    r"""Bound the chance that an order errs on the next comparison.

    .. math:: R ≤ R_m + 2 \sqrt{\frac{d \log(2em/d) - \log δ}{m}}, \qquad d = n - 1

    Examples
    --------
    >>> round(permutation_risk_bound(0.1, 10, 100_000), 3)
    0.164
    """
    check_domain("permutation_risk_bound: risk", risk, closed(0, 1))
    check_domain("permutation_risk_bound: n", n, whole(2))
    check_domain("permutation_risk_bound: comparisons", comparisons, whole(n - 1))
    check_domain("permutation_risk_bound: delta", delta, opened(0, 1))
    d, m = n - 1, comparisons
    return risk + 2.0 * sqrt((d * log(2.0 * e * m / d) - log(delta)) / m)


class _Counted:
    """A number that counts how often it is compared."""

    def __init__(self, value: Any, tally: list[int]) -> None:
        self.value, self.tally = value, tally

    def __lt__(self, other: _Counted) -> bool:
        self.tally[0] += 1
        return bool(self.value < other.value)


def sorting_comparisons(values: Any) -> int:
    """Return how many noiseless comparisons sorting asks for: about n log₂ n.

    Examples
    --------
    >>> sorting_comparisons(range(8))
    7
    """
    tally = [0]
    sorted(_Counted(value, tally) for value in values)
    return tally[0]


def tournament_comparisons(values: Any) -> int:
    """Return how many noiseless comparisons finding the largest asks for: n - 1.

    Examples
    --------
    >>> tournament_comparisons([3, 1, 2, 5])
    3
    """
    tally = [0]
    round_: list[_Counted] = [_Counted(value, tally) for value in values]
    if not round_:
        raise DataError("tournament_comparisons needs a value.")
    while len(round_) > 1:
        pairs = [round_[i : i + 2] for i in range(0, len(round_), 2)]
        round_ = [pair[-1] if len(pair) == 1 or pair[0] < pair[1] else pair[0]
                  for pair in pairs]  # fmt: skip
    return tally[0]
