"""Draws from finitely many categories: by cumulative sums, and by aliases."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from infimum.distributions._given import generator, numbers
from infimum.errors import DataError
from infimum.parameters import check_domain, whole
from infimum.typing import Indices, Vector

__all__ = ["AliasTable", "CumulativeTable"]


class CumulativeTable:
    """Categories drawn by their cumulative probabilities and a binary search.

    A uniform number z gives the first category whose cumulative probability reaches z.

    Examples
    --------
    >>> CumulativeTable([0.2, 0.5, 0.3]).at([0.1, 0.2, 0.6, 0.9])
    array([0, 0, 1, 2])
    """

    def __init__(self, probabilities: ArrayLike) -> None:
        self.steps = np.cumsum(shares_of("CumulativeTable", probabilities))
        self.steps[-1] = 1.0

    def at(self, z: ArrayLike) -> Indices:
        """Return the category of each number of [0, 1]."""
        given = numbers("CumulativeTable.at", z)
        if not ((given >= 0) & (given <= 1)).all():
            raise DataError("CumulativeTable.at takes numbers of [0, 1].")
        return np.searchsorted(self.steps, given)

    def draw(self, n: int, random_state: Any = None) -> Indices:
        """Draw n categories."""
        check_domain("CumulativeTable.draw.n", n, whole(0))
        rng = generator("CumulativeTable.draw", random_state)
        return self.at(rng.uniform(size=int(n)))


class AliasTable:
    """Categories drawn in constant time, by the table of Walker and Vose.

    Each of K cells belongs to one category and lends its rest to another; a draw is
    one cell and one comparison, whatever K is.

    Examples
    --------
    >>> AliasTable([0.5, 0.25, 0.25]).draw(3, random_state=0).shape
    (3,)
    """

    def __init__(self, probabilities: ArrayLike) -> None:
        shares = shares_of("AliasTable", probabilities)
        self.kept, self.alias = _cells(shares)

    @property
    def probabilities(self) -> Vector:
        """What the table draws, recovered from its cells."""
        lent = np.bincount(self.alias, 1.0 - self.kept, minlength=len(self.kept))
        return np.asarray((self.kept + lent) / len(self.kept))

    def draw(self, n: int, random_state: Any = None) -> Indices:
        """Draw n categories; one random number gives the cell and the comparison."""
        check_domain("AliasTable.draw.n", n, whole(0))
        n, rng = int(n), generator("AliasTable.draw", random_state)
        count = len(self.kept)
        out = np.empty(n, dtype=np.int64)
        # An alias whose cell is kept with certainty is never followed.
        bound = self.kept + np.arange(count)
        for first in range(0, n, BLOCK):
            spun = rng.random(min(BLOCK, n - first))
            spun *= count
            cells = spun.astype(np.int32)
            lent = spun >= bound[cells]
            cells[lent] = self.alias[cells[lent]]
            out[first : first + BLOCK] = cells
        return out


#: Draws made at once; they stay in the processor's cache.
BLOCK = 16_384


def shares_of(owner: str, probabilities: ArrayLike) -> Vector:
    """Return probabilities as an array, or refuse them."""
    shares = numbers(owner, probabilities)
    proper = shares.ndim == 1 and len(shares) > 0 and bool((shares >= 0).all())
    if not proper or abs(float(shares.sum()) - 1.0) > 1e-9:
        raise DataError(
            f"{owner} takes non-negative probabilities that sum to 1, got "
            f"{len(np.atleast_1d(shares))} numbers with the sum {shares.sum():g}."
        )
    return np.asarray(shares / shares.sum())


def _cells(shares: Vector) -> tuple[Vector, Indices]:
    count = len(shares)
    kept = shares * count
    alias = np.arange(count)
    small = [k for k in range(count) if kept[k] < 1.0]
    large = [k for k in range(count) if kept[k] >= 1.0]
    while small and large:
        lender, owner = small.pop(), large.pop()
        alias[lender] = owner
        kept[owner] -= 1.0 - kept[lender]
        (small if kept[owner] < 1.0 else large).append(owner)
    for rest in (*small, *large):  # rounding left them short of 1
        kept[rest] = 1.0
    return kept, alias
