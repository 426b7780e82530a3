"""Effective sizes of chains by their first autocovariances, as far as they are needed.

The sum over lags ends at the first negative pair, which chains that mix reach after a
few lags: those are cheaper one by one than by a Fourier transform of all.
"""

import numpy as np

from infimum.compiled.inner_loop import inner_loop
from infimum.compiled.loop import loop
from infimum.typing import Vector

__all__ = ["effective_sizes"]


@loop(fastmath={"reassoc", "contract", "nsz"})
def effective_sizes(values: Vector, known: Vector, limit: int, sizes: Vector) -> None:
    """Write the effective size of each parameter's chains, (parameter, chain, draw).

    Autocovariances that are not `known` are computed, up to lag `limit`; NaN where
    more are needed.
    """
    count, chains, n = values.shape
    means, block = np.empty(chains), np.empty((chains, n))
    for p in range(count):
        for c in range(chains):
            means[c] = values[p, c].sum() / n
            for t in range(n):
                block[c, t] = values[p, c, t] - means[c]
        first = _covariance(block, 0)
        total = first + (np.var(means) * chains / (chains - 1) if chains > 1 else 0.0)
        size = float(chains * n)
        sizes[p] = size
        if total > 0:
            tau = _sum_of_lags(block, known, (first * n / (n - 1.0), total), limit)
            sizes[p] = size / max(tau, 1.0 / np.log10(size))


@inner_loop(fastmath={"reassoc", "contract", "nsz"})
def _covariance(block: Vector, lag: int) -> float:
    chains, n = block.shape
    total = 0.0
    for c in range(chains):
        one, other = block[c, : n - lag], block[c, lag:]
        here = 0.0
        for t in range(n - lag):
            here += one[t] * other[t]
        total += here
    return float(total / (chains * n))


@inner_loop()
def _sum_of_lags(
    block: Vector, known: Vector, spreads: tuple[float, float], limit: int
) -> float:
    """Return the autocorrelation time; pairs of lags are kept from rising (Geyer)."""
    within, total = spreads
    last = (block.shape[1] - 3) // 2
    if last < 1:
        return 0.0  # fewer than five draws show no correlation
    summed, least, even, pair = 0.0, np.inf, 1.0, 1.0
    for k in range(last + 1):
        if 2 * k + 1 > limit:
            return np.nan
        pair = 0.0
        for lag in (2 * k, 2 * k + 1):
            seen = known[lag] if lag < known.size else _covariance(block, lag)
            rho = 1.0 - (within - seen) / total if lag else 1.0
            even = rho if lag == 2 * k else even
            pair += rho
        if pair < 0 or k == last or (k == 0 and pair <= 0):
            break
        least = min(least, pair)
        summed += least
    # A pair that is not negative counts with its first lag, whatever its sign.
    return -1.0 + 2.0 * summed + (even if pair >= 0 else max(even, 0.0))
