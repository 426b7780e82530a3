"""Folds along time: models learn from the past and are tested on the future."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from infimum.errors import DataError
from infimum.evaluation.folds import Split
from infimum.evaluation.whole_groups import group_codes, is_missing
from infimum.parameters import check_domain, opened, whole
from infimum.typing import Indices

__all__ = ["forward_folds", "forward_hold_out"]


def forward_folds(
    times: ArrayLike, n_folds: int = 5, *, groups: ArrayLike | None = None
) -> Iterator[Split]:
    """Yield splits that learn from all rows before a stretch of time and hold it back.

    Time is cut into one stretch more than folds, of rows as even in number as equal
    times allow: rows of the same time are never on both sides. With `groups`, rows of
    a group that is held back are not learned from either.

    Examples
    --------
    >>> from infimum.evaluation import forward_folds
    >>> for train, held in forward_folds([2001, 2002, 2003, 2004], 3):
    ...     print(train, held)
    [0] [1]
    [0 1] [2]
    [0 1 2] [3]
    """
    moments = _moments(times)
    check_domain("The number of folds", n_folds, whole(1))
    stretch = _stretches(moments, np.arange(1, n_folds + 1) / (n_folds + 1))
    for fold in range(1, n_folds + 1):
        yield _apart(stretch < fold, stretch == fold, groups)


def forward_hold_out(
    times: ArrayLike, fraction: float = 0.2, *, groups: ArrayLike | None = None
) -> Split:
    """Hold back the latest rows, about a share of all; equal times stay together."""
    check_domain("The fraction held back", fraction, opened(0, 1))
    late = _stretches(_moments(times), np.array([1 - fraction])) == 1
    return _apart(~late, late, groups)


def _moments(times: ArrayLike) -> Any:
    moments = np.asarray(times)
    if moments.dtype.kind in "mM":
        lacking = np.isnat(moments).tolist()
    else:
        lacking = [is_missing(moment) for moment in moments.tolist()]
    if np.any(lacking):
        row = int(np.flatnonzero(lacking)[0]) + 1
        raise DataError(f"Row {row} has no time; fill it in or leave such rows out.")
    return moments


def _stretches(moments: Any, shares: Any) -> Indices:
    """Return the stretch of each row, cut nearest to the given shares of all rows."""
    distinct, place, counts = np.unique(
        moments, return_inverse=True, return_counts=True
    )
    if len(distinct) <= len(shares):
        raise DataError(
            f"Splitting along time in {len(shares) + 1} needs at least "
            f"{len(shares) + 1} different times, got {len(distinct)}."
        )
    before = np.concatenate([[0], np.cumsum(counts)])
    cuts: list[int] = []
    for index, share in enumerate(shares):
        # Every stretch keeps at least one time, also those still to come.
        first = cuts[-1] + 1 if cuts else 1
        last = len(distinct) - (len(shares) - index)
        apart = np.abs(before[first : last + 1] - share * len(moments))
        cuts.append(first + int(apart.argmin()))
    return np.searchsorted(cuts, place, side="right")


def _apart(train: Any, held: Any, groups: ArrayLike | None) -> Split:
    if groups is not None:
        codes = group_codes(groups)
        train = train & ~np.isin(codes, codes[held])
        if not train.any():
            raise DataError(
                "Every group of the earlier rows also has later ones, so nothing is "
                "left to learn from; split by time or by group, not both."
            )
    return Split(np.flatnonzero(train), np.flatnonzero(held))
