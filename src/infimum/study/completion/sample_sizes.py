"""How many entries it takes: what no method can do without, and what is enough."""

from __future__ import annotations

from math import comb, exp, log, sqrt
from typing import NamedTuple

from infimum.parameters import check_domain, opened, positive, whole

__all__ = [
    "ApproximateRecovery",
    "RecoveryTheorem",
    "approximate_recovery",
    "coupon_draws",
    "coupon_probability",
    "degrees_of_freedom",
    "entries_needed",
    "recovery_theorem",
]


class RecoveryTheorem(NamedTuple):
    """Entries that are enough, with which probability; vacuous beyond all entries."""

    entries: float
    probability: float
    vacuous: bool


class ApproximateRecovery(NamedTuple):
    """Entries that are enough, and the root mean squared error then."""

    entries: float
    error: float
    probability: float


def coupon_probability(n_draws: int, size: int, *, limit: bool = False) -> float:
    """Return the chance that n draws hit each of p columns: none may stay empty.

    Exactly, by inclusion and exclusion, or with `limit` as exp(-exp(-c)) for
    n = p log p + c p.

    Examples
    --------
    >>> round(coupon_probability(461, 100), 3), round(coupon_probability(3, 2), 2)
    (0.368, 0.75)
    """
    check_domain("coupon_probability.n_draws", n_draws, whole(0))
    check_domain("coupon_probability.size", size, whole(1))
    if limit:
        return exp(-exp(-(n_draws / size - log(size))))
    total, terms = 0, range(size + 1)
    for k in terms:  # whole numbers: the terms cancel
        total += (-1) ** k * comb(size, k) * (size - k) ** n_draws
    return float(total / size**n_draws) if n_draws else float(size == 0)


def coupon_draws(size: int) -> float:
    """Return p(1 + 1/2 + … + 1/p): the draws until each of p was hit, in the mean.

    Examples
    --------
    >>> coupon_draws(2)
    3.0
    """
    check_domain("coupon_draws.size", size, whole(1))
    return size * sum(1.0 / k for k in range(1, size + 1))


def degrees_of_freedom(rank: int, rows: int, columns: int | None = None) -> int:
    """Return r(p + q - r): the numbers that a matrix of rank r is made of.

    The text's r·p is its order of magnitude, not its number.

    Examples
    --------
    >>> degrees_of_freedom(1, 40), degrees_of_freedom(2, 5, 3)
    (79, 12)
    """
    columns = rows if columns is None else columns
    check_domain("degrees_of_freedom.rank", rank, whole(0, min(rows, columns)))
    return rank * (rows + columns - rank)


def entries_needed(rank: int, size: int, *, constant: float = 1.0) -> float:
    """Return C r p log p: the entries that are enough where coherence is low.

    Examples
    --------
    >>> round(entries_needed(2, 100))
    921
    """
    check_domain("entries_needed.rank", rank, whole(1, size))
    check_domain("entries_needed.constant", constant, positive)
    return constant * rank * size * log(size)


def recovery_theorem(
    rank: int, shape: tuple[int, int], mu0: float, mu1: float, *, beta: float = 2.0
) -> RecoveryTheorem:
    """Return how many entries make the least trace norm exact (Recht 2011).

    32 max(μ₁², μ₀) r (n₁ + n₂) β log²(2 n₂) entries, with n₁ ≤ n₂ and β > 1, with
    probability 1 - 6 log(n₂)(n₁ + n₂)^(2-2β) - n₂^(2-2√β).

    Examples
    --------
    >>> recovery_theorem(1, (100, 100), 1.0, 1.0).vacuous
    True
    """
    check_domain("recovery_theorem.beta", beta, opened(1, float("inf")))
    small, large = sorted(shape)
    entries = 32.0 * max(mu1**2, mu0) * rank * (small + large) * beta
    entries *= log(2 * large) ** 2
    lost = 6.0 * log(large) * (small + large) ** (2.0 - 2.0 * beta)
    lost += large ** (2.0 - 2.0 * sqrt(beta))
    return RecoveryTheorem(entries, max(1.0 - lost, 0.0), entries > small * large)


def approximate_recovery(
    rank: int,
    shape: tuple[int, int],
    entries: float,
    noise_norm: float,
    *,
    condition: float = 1.0,
    mu0: float = 1.0,
    mu1: float = 1.0,
    constant: float = 1.0,
    error_constant: float = 1.0,
) -> ApproximateRecovery:
    """Return OptSpace's guarantee (Keshavan, Montanari & Oh 2010), constants free.

    Entries C n √α κ² max(μ₀ r √α log n, μ₀² r² α κ⁴, μ₁² r² α κ⁴) for a matrix of
    n·α rows and n columns, and the root mean squared error C' κ² n √(rα)/|E| ‖Z_E‖₂,
    with probability 1 - 1/n³.

    Examples
    --------
    >>> found = approximate_recovery(1, (100, 100), 2000, 10.0)
    >>> round(found.error, 3), found.probability
    (0.5, 0.999999)
    """
    check_domain("approximate_recovery.entries", entries, positive)
    n, m = sorted(shape)
    alpha, kappa = m / n, condition
    parts = (
        mu0 * rank * sqrt(alpha) * log(n),
        mu0**2 * rank**2 * alpha * kappa**4,
        mu1**2 * rank**2 * alpha * kappa**4,
    )
    needed = constant * n * sqrt(alpha) * kappa**2 * max(parts)
    error = error_constant * kappa**2 * n * sqrt(rank * alpha) / entries * noise_norm
    return ApproximateRecovery(needed, error, 1.0 - 1.0 / n**3)
