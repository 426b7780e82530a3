"""Folds and test sets that keep rows of one group together."""

from collections.abc import Iterator
from math import isnan
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from infimum.errors import DataError
from infimum.evaluation.folds import Split
from infimum.parameters import check_domain, opened, whole
from infimum.typing import Indices

__all__ = ["group_codes", "grouped_folds", "grouped_hold_out", "is_missing"]

#: A measured target is stratified by so many stretches of its range.
_STRETCHES = 5
#: So many random orders of the groups are tried for a hold-out set.
_TRIES = 16


def grouped_folds(
    y: ArrayLike,
    groups: ArrayLike,
    n_folds: int = 5,
    seed: int = 0,
    *,
    classes: bool = True,
) -> Iterator[Split]:
    """Yield splits that hold every row back once and never tear a group apart.

    Groups are dealt from the largest to the smallest, each to the fold that has the
    least of what it brings: rows in all, and rows of its classes (or, for a measured
    target, of its stretches of the range). So sizes and classes are as even as whole
    groups allow.

    Examples
    --------
    >>> from infimum.evaluation import grouped_folds
    >>> patients = ["ann", "ann", "bob", "bob", "cy", "cy"]
    >>> splits = grouped_folds([0, 1, 0, 1, 0, 1], patients, 3)
    >>> [[patients[row] for row in split.held_back] for split in splits]
    [['cy', 'cy'], ['ann', 'ann'], ['bob', 'bob']]
    """
    labels, codes, n_groups = _aligned(y, groups)
    check_domain("The number of folds", n_folds, whole(2, max(2, len(labels))))
    if n_groups < n_folds:
        raise DataError(
            f"{n_folds} folds need at least {n_folds} groups, got {n_groups}; use "
            "fewer folds or other groups."
        )
    counts = _contents(labels, codes, n_groups, classes=classes)
    owner = _dealt(counts, n_folds, np.random.default_rng(seed))[codes]
    for fold in range(n_folds):
        held = owner == fold
        yield Split(np.flatnonzero(~held), np.flatnonzero(held))


def grouped_hold_out(
    y: ArrayLike,
    groups: ArrayLike,
    fraction: float = 0.2,
    seed: int = 0,
    *,
    classes: bool = True,
) -> Split:
    """Hold back whole groups, chosen at random, with about a share of the rows.

    Of many random orders of the groups the one is taken whose first groups come nearest
    to the share, of all rows and of every class.
    """
    check_domain("The fraction held back", fraction, opened(0, 1))
    labels, codes, n_groups = _aligned(y, groups)
    if n_groups < 2:  # noqa: PLR2004
        raise DataError("Holding groups back needs at least 2 groups, got 1.")
    counts = _contents(labels, codes, n_groups, classes=classes)
    shares = counts / counts.sum(axis=0)
    generator = np.random.default_rng(seed)
    orders = [generator.permutation(n_groups) for _ in range(_TRIES)]
    tries = [(*_nearest_start(shares[order], fraction), order) for order in orders]
    _, size, order = min(tries, key=lambda attempt: attempt[0])
    held = np.isin(codes, order[:size])
    return Split(np.flatnonzero(~held), np.flatnonzero(held))


def group_codes(groups: ArrayLike) -> NDArray[np.intp]:
    """Return the groups as numbers from 0; DataError where a row has none."""
    found: dict[Any, int] = {}
    values = np.asarray(groups, dtype=object).tolist()
    codes = np.empty(len(values), dtype=np.intp)
    for row, group in enumerate(values):
        if is_missing(group):
            raise DataError(
                f"Row {row + 1} has no group; fill it in or leave such rows out."
            )
        codes[row] = found.setdefault(group, len(found))
    return codes


def is_missing(value: Any) -> bool:
    """Return whether a single value is none at all."""
    return value is None or (isinstance(value, float) and isnan(value))


def _aligned(y: ArrayLike, groups: ArrayLike) -> tuple[Any, Indices, int]:
    labels, codes = np.asarray(y), group_codes(groups)
    if len(labels) != len(codes):
        raise DataError(
            f"Got {len(labels)} targets but the groups of {len(codes)} rows."
        )
    return labels, codes, int(codes.max(initial=-1)) + 1


def _contents(labels: Any, codes: Indices, n_groups: int, *, classes: bool) -> Any:
    """Count the rows of every group: in all, then by class or stretch."""
    if not classes:
        inner = np.linspace(0, 1, _STRETCHES + 1)[1:-1]
        labels = np.searchsorted(np.quantile(labels, inner), labels)
    kinds, kind = np.unique(labels, return_inverse=True)
    counts = np.zeros((n_groups, len(kinds) + 1))
    np.add.at(counts, (codes, kind + 1), 1)
    counts[:, 0] = counts.sum(axis=1)
    return counts


def _dealt(counts: Any, n_folds: int, generator: np.random.Generator) -> Indices:
    """Return the fold of each group."""
    shares = counts / counts.sum(axis=0)
    order = generator.permutation(len(counts))
    order = order[np.argsort(-counts[order, 0], kind="stable")]
    owner = np.empty(len(counts), dtype=np.intp)
    taken = np.zeros((n_folds, counts.shape[1]))
    for group in order:
        # The sum of squares of what the folds hold grows least where this is least;
        # an empty fold comes first, since every group shares in the first column.
        owner[group] = np.argmin(taken @ shares[group])
        taken[owner[group]] += shares[group]
    return owner


def _nearest_start(shares: Any, fraction: float) -> tuple[float, int]:
    """Return how far from the share, and with how many first groups."""
    held = np.cumsum(shares, axis=0)[:-1]
    apart = ((held - fraction) ** 2).sum(axis=1)
    return float(apart.min()), int(apart.argmin()) + 1
