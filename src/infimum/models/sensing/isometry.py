"""Restricted isometry: how far W is from keeping the length of sparse vectors."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, islice
from math import comb
from typing import Any

import numpy as np

from infimum.data.doors import array
from infimum.parameters import check_domain, whole
from infimum.typing import Indices, Matrix

__all__ = ["RestrictedIsometry", "mutual_coherence", "restricted_isometry"]

#: Supports up to which all are looked at, and so many at a time.
MOST, BATCH = 200_000, 4_096
#: Supports from which a greedy search for a bad one starts.
STARTS = 50


@dataclass(frozen=True)
class RestrictedIsometry:
    """The least ε with | ‖Wx‖²/‖x‖² - 1 | ≤ ε for all x with s entries, or a bracket.

    `support` is a witness: its columns attain `lower`.
    """

    lower: float
    upper: float
    support: tuple[int, ...]

    @property
    def exact(self) -> bool:
        """Whether all supports were looked at."""
        return self.lower == self.upper


def restricted_isometry(
    W: Any, n_nonzero: int, *, random_state: Any = 0
) -> RestrictedIsometry:
    """Return the restricted isometry constant of W for s entries.

    Where there are at most 200,000 supports all are looked at. Otherwise a search for
    a bad support bounds the constant from below, and from above the largest sum of
    inner products of s columns (Gershgorin) or the norm of W, whichever is less.

    Examples
    --------
    >>> restricted_isometry([[1.0, 0.0, 0.6], [0.0, 1.0, 0.8]], 2).lower
    0.8
    """
    W = array(W)
    d = W.shape[1]
    check_domain("restricted_isometry.n_nonzero", n_nonzero, whole(1, d))
    s = int(n_nonzero)
    gram = W.T @ W
    if comb(d, s) <= MOST:
        worst, support = _enumerated(gram, s)
        return RestrictedIsometry(worst, worst, support)
    low, support = _searched(gram, s, np.random.default_rng(random_state))
    return RestrictedIsometry(low, max(low, _above(W, gram, s)), support)


def mutual_coherence(W: Any) -> float:
    """Return the largest cosine between two columns.

    Examples
    --------
    >>> mutual_coherence([[1.0, 0.0, 3.0], [0.0, 1.0, 4.0]])
    0.8
    """
    W = array(W, ensure_min_features=2)
    lengths = np.linalg.norm(W, axis=0)
    units = W / np.where(lengths > 0, lengths, 1.0)
    cosines = np.abs(units.T @ units)
    np.fill_diagonal(cosines, 0.0)
    return float(round(cosines.max(), 15))


def _off(gram: Matrix, supports: Indices) -> Any:
    """Return the largest |eigenvalue - 1| of each support."""
    parts = gram[supports[:, :, None], supports[:, None, :]]
    found = np.linalg.eigvalsh(parts)
    return np.maximum(found[:, -1] - 1.0, 1.0 - found[:, 0])


def _enumerated(gram: Matrix, s: int) -> tuple[float, tuple[int, ...]]:
    every = combinations(range(len(gram)), s)
    worst: tuple[float, tuple[int, ...]] = (-np.inf, ())
    while batch := list(islice(every, BATCH)):
        off = _off(gram, np.array(batch))
        at = int(np.argmax(off))
        if off[at] > worst[0]:
            worst = (float(off[at]), batch[at])
    return max(worst[0], 0.0) if worst[0] > 1e-14 else 0.0, worst[1]


def _searched(
    gram: Matrix, s: int, rng: np.random.Generator
) -> tuple[float, tuple[int, ...]]:
    """Exchange one column of a support at a time, for as long as it gets worse."""
    d = len(gram)
    worst: tuple[float, tuple[int, ...]] = (-np.inf, ())
    for _ in range(STARTS):
        support = rng.choice(d, s, replace=False)
        value = float(_off(gram, support[None])[0])
        for place in range(s):
            others = np.setdiff1d(np.arange(d), np.delete(support, place))
            tries = np.tile(support, (len(others), 1))
            tries[:, place] = others
            off = _off(gram, tries)
            if off.max() > value:
                value, support = float(off.max()), tries[int(np.argmax(off))]
        if value > worst[0]:
            worst = (value, tuple(int(j) for j in np.sort(support)))
    return worst


def _above(W: Matrix, gram: Matrix, s: int) -> float:
    sizes = np.abs(gram - np.diag(np.diag(gram)))
    sums = -np.sort(-sizes, axis=1)[:, : s - 1].sum(axis=1)
    discs = float(np.max(np.abs(np.diag(gram) - 1.0) + sums))
    norm = float(np.linalg.norm(W, 2)) ** 2
    return min(discs, max(norm - 1.0, 1.0))
