"""Diagnostics of chains: rank-normalised R̂, effective sizes, standard errors.

The definitions are those of Vehtari, Gelman, Simpson, Carpenter and Bürkner (2021),
Bayesian Analysis 16. A parameter's draws are sorted once for all of them. Lags are
summed one by one; a Fourier transform takes over where a chain needs hundreds.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.fft import irfft, next_fast_len, rfft
from scipy.special import ndtri

from infimum.distributions._given import numbers
from infimum.errors import DataError
from infimum.typing import Indices, Matrix, Vector

__all__ = [
    "Diagnosis",
    "bulk_ess",
    "diagnose",
    "mean_error",
    "mean_ess",
    "rank_rhat",
    "tail_ess",
]

#: Draws of a chain below which its halves say nothing.
FEWEST = 4
#: Parameters that are worked on at once.
BLOCK = 16
#: Lags that are summed one by one, at most.
LAGS = 256
#: The tails whose effective size is asked for.
LOW, HIGH = 0.05, 0.95


class Diagnosis(NamedTuple):
    """R̂, effective sizes of bulk and tails, and the quantiles that begin the tails."""

    rhat: Vector
    bulk_ess: Vector
    tail_ess: Vector
    low: Vector
    high: Vector


def diagnose(draws: ArrayLike) -> Diagnosis:
    """Return all diagnostics of each parameter from one sort of its draws.

    Examples
    --------
    >>> import numpy as np
    >>> found = diagnose(np.random.default_rng(0).normal(size=(4, 500, 3)))
    >>> bool(found.rhat.max() < 1.02), bool(found.bulk_ess.min() > 1500)
    (True, True)
    """
    return Diagnosis(*_of_parameters(draws, _diagnosed))


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
    return diagnose(draws).rhat


def bulk_ess(draws: ArrayLike) -> Vector:
    """Return how many independent draws the ranks of these are worth.

    Examples
    --------
    >>> import numpy as np
    >>> bool(bulk_ess(np.random.default_rng(0).normal(size=(4, 500))) > 1500)
    True
    """
    return diagnose(draws).bulk_ess


def tail_ess(draws: ArrayLike) -> Vector:
    """Return the smaller effective size of the two 5 % tails.

    Examples
    --------
    >>> import numpy as np
    >>> bool(tail_ess(np.random.default_rng(0).normal(size=(4, 500))) > 1000)
    True
    """
    return diagnose(draws).tail_ess


def mean_ess(draws: ArrayLike) -> Vector:
    """Return the effective size for the mean, without ranks.

    Examples
    --------
    >>> import numpy as np
    >>> bool(mean_ess(np.random.default_rng(0).normal(size=(4, 500))) > 1500)
    True
    """
    return _of_parameters(draws, lambda block: (_ess(_halves(block)),))[0]


def mean_error(draws: ArrayLike) -> Vector:
    """Return the Monte-Carlo standard error of the mean of each parameter.

    Examples
    --------
    >>> import numpy as np
    >>> bool(mean_error(np.random.default_rng(0).normal(size=(4, 500))) < 0.03)
    True
    """
    values = numbers("Diagnostics", draws)
    size = mean_ess(values)
    return np.asarray(values.std(axis=(0, 1), ddof=1) / np.sqrt(size))


def _of_parameters(
    draws: ArrayLike, judge: Callable[[NDArray[np.float64]], tuple[Vector, ...]]
) -> list[Vector]:
    """Judge blocks of parameters, (parameter, chain, draw), on all cores."""
    from infimum.compiled.threads import in_parts

    values = numbers("Diagnostics", draws)
    if values.ndim < 2 or values.shape[1] < FEWEST or not values.size:  # noqa: PLR2004
        raise DataError(
            f"Diagnostics need an array of (chains, draws, …) with {FEWEST} draws or "
            f"more in each chain, got the shape {values.shape}."
        )
    if not np.isfinite(values).all():
        raise DataError("Diagnostics need finite draws.")
    shape, table = values.shape[2:], values.reshape(*values.shape[:2], -1)
    count = table.shape[2]

    def some(rows: slice) -> tuple[Vector, ...]:
        return judge(np.ascontiguousarray(table[:, :, rows].transpose(2, 0, 1)))

    blocks = -(-count // BLOCK)
    judged = in_parts(count, some, blocks) if blocks > 1 else [some(slice(0, count))]
    columns = zip(*judged, strict=True)
    return [np.concatenate(column).reshape(shape) for column in columns]


def _diagnosed(block: NDArray[np.float64]) -> tuple[Vector, ...]:
    halves = _halves(block)
    lines = halves.reshape(len(halves), -1)
    order = np.argsort(lines, axis=1)
    whole = block.shape[1] * block.shape[2] == lines.shape[1]
    low, high = _edges(lines, order) if whole else _tails(block)
    bulk, folded = _normal_scores(halves, order)
    rhat = np.maximum(_rhat(bulk), _rhat(folded))
    sides = [
        _ess((halves <= edge[:, None, None]).astype(np.float64)) for edge in (low, high)
    ]
    return rhat, _ess(bulk), np.minimum(*sides), low, high


def _halves(block: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return both halves of each chain as chains; an odd draw in the middle is left."""
    half = block.shape[2] // 2
    return np.concatenate([block[:, :, :half], block[:, :, -half:]], axis=1)


def _tails(block: NDArray[np.float64]) -> tuple[Vector, Vector]:
    low, high = np.quantile(block, [LOW, HIGH], axis=(1, 2))
    return low, high


def _edges(lines: Matrix, order: Indices) -> tuple[Vector, Vector]:
    """Return the quantiles of sorted lines, by the same line between two as NumPy's."""
    found = []
    for level in (LOW, HIGH):
        place = level * (lines.shape[1] - 1)
        near = np.array([np.floor(place), np.floor(place) + 1.0], dtype=np.intp)
        pair = np.take_along_axis(lines, order[:, near], axis=1)
        found.append(np.quantile(pair, place - np.floor(place), axis=1))
    return found[0], found[1]


def _normal_scores(
    halves: NDArray[np.float64], order: Indices
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    from infimum.compiled.laws.chain_ranks import normal_scores

    lines = halves.reshape(len(halves), -1)
    count = lines.shape[1]
    # Ranks are halves of whole numbers, so that a table has all of their quantiles.
    table = ndtri((0.5 * np.arange(2, 2 * count + 1) - 0.375) / (count + 0.25))
    bulk, folded = np.empty_like(lines), np.empty_like(lines)
    normal_scores(lines, order, table, bulk, folded)
    return bulk.reshape(halves.shape), folded.reshape(halves.shape)


def _rhat(values: NDArray[np.float64]) -> Vector:
    n = values.shape[2]
    between = n * values.mean(axis=2).var(axis=1, ddof=1)
    within = values.var(axis=2, ddof=1).mean(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.sqrt((between / within + n - 1.0) / n))


def _ess(values: NDArray[np.float64]) -> Vector:
    from infimum.compiled.laws.effective_sizes import effective_sizes

    sizes, n = np.empty(len(values)), values.shape[2]
    effective_sizes(values, np.empty(0), LAGS, sizes)
    for p in np.flatnonzero(np.isnan(sizes)):
        known = _autocovariances(values[p])
        effective_sizes(values[p : p + 1], known, n, sizes[p : p + 1])
    return sizes


def _autocovariances(chains: Matrix) -> Vector:
    """Return the autocovariances at all lags, averaged over chains."""
    n = chains.shape[1]
    length = next_fast_len(2 * n, real=True)
    waves = rfft(chains - chains.mean(axis=1)[:, None], length, axis=1)
    power = (waves.real**2 + waves.imag**2).mean(axis=0)
    return np.asarray(irfft(power, length)[:n] / n)
