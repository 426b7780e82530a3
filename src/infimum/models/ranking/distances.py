"""How different two rankings are: Kendall, footrule, and the top of both."""

from __future__ import annotations

from typing import Any

import numpy as np

from infimum.errors import DataError
from infimum.parameters import check_domain, whole
from infimum.typing import Indices

__all__ = ["footrule_distance", "kendall_distance", "top_k_difference"]

#: Items from which on both rankings are sorted at once.
MANY = 20_000


def kendall_distance(one: Any, other: Any, *, normalized: bool = True) -> float:
    r"""Return the share of pairs that two rankings order differently.

    .. math:: \frac2{n(n-1)}\, \#\{i < j : (π_i - π_j)(ρ_i - ρ_j) < 0\}

    In O(n log n).

    Parameters
    ----------
    one, other : array-like of shape (n_items,)
        The rank of each item, or anything that orders them without ties.
    normalized : bool, default=True
        A share, or the number of pairs.

    Examples
    --------
    >>> kendall_distance([1, 2, 3], [1, 3, 2], normalized=False)
    1.0
    """
    from infimum.compiled.inversions import count_inversions

    a, b = _ranks("kendall_distance", one, other)
    along = np.empty_like(b)
    along[a] = b
    swapped = float(count_inversions(along))
    pairs = 0.5 * len(a) * (len(a) - 1)
    return swapped / max(pairs, 1.0) if normalized else swapped


def footrule_distance(one: Any, other: Any) -> float:
    """Return Spearman's footrule: the sum of all |πᵢ - ρᵢ|.

    Examples
    --------
    >>> footrule_distance([1, 2, 3, 4], [4, 3, 2, 1])
    8.0
    """
    a, b = _ranks("footrule_distance", one, other)
    return float(np.abs(a - b).sum())


def top_k_difference(one: Any, other: Any, k: int) -> int:
    """Return how many items are among the first k of only one of two rankings.

    Rankings are ranks, 1 or 0 for the first; the order among the first k is ignored.

    Examples
    --------
    >>> top_k_difference([1, 2, 3, 4], [2, 4, 1, 3], 2)
    2
    """
    a, b = _ranks("top_k_difference", one, other)
    check_domain("top_k_difference: k", k, whole(1, len(a)))
    return int(np.count_nonzero((a < k) != (b < k)))


def _ranks(owner: str, one: Any, other: Any) -> tuple[Indices, Indices]:
    """Return ranks from 0 on."""
    a, b = np.asarray(one), np.asarray(other)
    if a.ndim != 1 or a.shape != b.shape or not len(a):
        raise DataError(
            f"{owner} takes two rankings of the same items, got shapes {a.shape} and "
            f"{b.shape}."
        )
    if len(a) < MANY:
        return _places(owner, a), _places(owner, b)
    from infimum.compiled.threads import in_parts

    first, second = in_parts(2, lambda k: _places(owner, (a, b)[k.start]), 2)
    return first, second


def _places(owner: str, values: Any) -> Indices:
    """Return the place of each value, 0 for the least."""
    n = len(values)
    if values.dtype.kind in "iu":
        shifted = values - values.min()
        # Ranks themselves need no sorting, if each occurs once.
        if int(shifted.max()) == n - 1 and np.bincount(shifted, minlength=n).all():
            return np.asarray(shifted, dtype=np.int64)
    order = np.argsort(values)
    rising = values[order]
    if rising[-1] != rising[-1]:
        raise DataError(f"{owner} takes rankings without NaN.")
    if (rising[1:] == rising[:-1]).any():
        raise DataError(f"{owner} takes rankings without ties.")
    places = np.empty(n, dtype=np.int64)
    places[order] = np.arange(n)
    return places
