"""Diagnostics of chains: rank-normalised R̂, effective sizes, standard errors.

The definitions are those of Vehtari, Gelman, Simpson, Carpenter and Bürkner (2021),
Bayesian Analysis 16. All parameters go through one Fourier transform.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.fft import irfft, next_fast_len, rfft
from scipy.special import ndtri
from scipy.stats import rankdata

from infimum.errors import DataError
from infimum.typing import Vector

__all__ = ["bulk_ess", "mean_error", "mean_ess", "rank_rhat", "tail_ess"]

#: Draws of a chain below which its halves say nothing.
FEWEST = 4
#: Parameters that are transformed at once.
BLOCK = 32


def rank_rhat(draws: ArrayLike) -> Vector:
    """Return R̂ of each parameter, the larger of that of ranks and of folded ranks.

    Parameters
    ----------
    draws : array-like of shape (chains, draws, …)

    Examples
    --------
    >>> import numpy as np
    >>> same = np.random.default_rng(0).normal(size=(4, 500))
    >>> apart = same + np.arange(4)[:, None]
    >>> bool(rank_rhat(same) < 1.02), bool(rank_rhat(apart) > 1.5)
    (True, True)
    """
    values, shape = _accepted(draws)
    halves = _halves(values)
    bulk = _rhat(_normal_ranks(halves))
    middle = np.median(halves, axis=(0, 1))
    tail = _rhat(_normal_ranks(np.abs(halves - middle)))
    return np.asarray(np.maximum(bulk, tail).reshape(shape))


def bulk_ess(draws: ArrayLike) -> Vector:
    """Return how many independent draws the ranks of these are worth.

    Examples
    --------
    >>> import numpy as np
    >>> bool(bulk_ess(np.random.default_rng(0).normal(size=(4, 500))) > 1500)
    True
    """
    values, shape = _accepted(draws)
    return _ess(_normal_ranks(_halves(values))).reshape(shape)


def tail_ess(draws: ArrayLike) -> Vector:
    """Return the smaller effective size of the two 5 % tails.

    Examples
    --------
    >>> import numpy as np
    >>> bool(tail_ess(np.random.default_rng(0).normal(size=(4, 500))) > 1000)
    True
    """
    values, shape = _accepted(draws)
    low, high = np.quantile(values, [0.05, 0.95], axis=(0, 1))
    sides = [_ess(_halves((values <= edge).astype(np.float64))) for edge in (low, high)]
    return np.minimum(*sides).reshape(shape)


def mean_ess(draws: ArrayLike) -> Vector:
    """Return the effective size for the mean, without ranks.

    Examples
    --------
    >>> import numpy as np
    >>> bool(mean_ess(np.random.default_rng(0).normal(size=(4, 500))) > 1500)
    True
    """
    values, shape = _accepted(draws)
    return _ess(_halves(values)).reshape(shape)


def mean_error(draws: ArrayLike) -> Vector:
    """Return the Monte-Carlo standard error of the mean of each parameter.

    Examples
    --------
    >>> import numpy as np
    >>> bool(mean_error(np.random.default_rng(0).normal(size=(4, 500))) < 0.03)
    True
    """
    values, shape = _accepted(draws)
    spread = values.std(axis=(0, 1), ddof=1).reshape(shape)
    return np.asarray(spread / np.sqrt(mean_ess(draws)))


def _accepted(draws: ArrayLike) -> tuple[NDArray[np.float64], tuple[int, ...]]:
    values = np.asarray(draws, dtype=np.float64)
    if values.ndim < 2 or values.shape[1] < FEWEST:  # noqa: PLR2004
        raise DataError(
            f"Diagnostics need an array of (chains, draws, …) with {FEWEST} draws or "
            f"more in each chain, got the shape {values.shape}."
        )
    if not np.isfinite(values).all():
        raise DataError("Diagnostics need finite draws.")
    return values.reshape(*values.shape[:2], -1), values.shape[2:]


def _halves(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return both halves of each chain as chains; an odd draw in the middle is left."""
    half = values.shape[1] // 2
    return np.concatenate([values[:, :half], values[:, -half:]])


def _normal_ranks(values: NDArray[np.float64]) -> NDArray[np.float64]:
    count = values.shape[0] * values.shape[1]
    flat = np.ascontiguousarray(values.reshape(count, -1).T)
    # Ranks are halves of whole numbers, so that a table has all of their quantiles.
    places = (2.0 * rankdata(flat, axis=1)).astype(np.intp)
    table = ndtri((0.5 * np.arange(2, 2 * count + 1) - 0.375) / (count + 0.25))
    return np.asarray(table[places.T - 2]).reshape(values.shape)


def _rhat(values: NDArray[np.float64]) -> Vector:
    n = values.shape[1]
    between = n * values.mean(axis=1).var(axis=0, ddof=1)
    within = values.var(axis=1, ddof=1).mean(axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.sqrt((between / within + n - 1.0) / n))


def _ess(values: NDArray[np.float64]) -> Vector:
    chains, n, count = values.shape
    out = np.empty(count)
    for first in range(0, count, BLOCK):
        part = np.ascontiguousarray(values[:, :, first : first + BLOCK])
        out[first : first + BLOCK] = _ess_of_block(part, chains * n)
    return out


def _ess_of_block(values: NDArray[np.float64], size: int) -> Vector:
    chains, n, _ = values.shape
    means = values.mean(axis=1)
    covariance = _autocovariances(values - means[:, None])
    within = covariance[0] * n / (n - 1.0)
    total = covariance[0] + (means.var(axis=0, ddof=1) if chains > 1 else 0.0)
    still = total <= 0
    rho = 1.0 - (within - covariance) / np.where(still, 1.0, total)
    rho[0] = 1.0
    # Geyer: sums of neighbours are positive and fall; the first negative one ends them.
    pairs = rho[0 : 2 * (n // 2) : 2] + rho[1 : 2 * (n // 2) : 2]
    last = max((n - 3) // 2, 1)  # pairs that the truncation may look at
    pairs, evens = pairs[: last + 1], rho[0 : 2 * (last + 1) : 2]
    negative = pairs < 0
    negative[0] = pairs[0] <= 0
    ends = np.where(negative.any(axis=0), np.argmax(negative, axis=0), len(pairs) - 1)
    kept = np.arange(len(pairs))[:, None] < ends
    fallen = np.minimum.accumulate(pairs, axis=0)
    odd = np.maximum(np.take_along_axis(evens, ends[None], axis=0)[0], 0.0)
    tau = -1.0 + 2.0 * np.where(kept, fallen, 0.0).sum(axis=0) + odd
    tau = np.maximum(tau, 1.0 / np.log10(size))
    return np.asarray(np.where(still, float(size), size / tau))


def _autocovariances(apart: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the autocovariances averaged over chains, lags first."""
    n = apart.shape[1]
    length = next_fast_len(2 * n, real=True)
    waves = rfft(apart, length, axis=1)
    power = (waves.real**2 + waves.imag**2).mean(axis=0)
    return np.asarray(irfft(power, length, axis=0)[:n] / n)
