"""The best stump of a sorted table, found by one pass over each feature."""

from __future__ import annotations

import os
from dataclasses import dataclass

import numpy as np

from infimum.compiled.threads import in_parts
from infimum.compiled.trees.tree_parts import Columns
from infimum.compiled.trees.tree_stump_classes import cut_classes
from infimum.compiled.trees.tree_stump_pairs import cut_pairs
from infimum.compiled.trees.tree_stump_signs import cut_signs
from infimum.models.trees._sorted_columns import SortedColumns
from infimum.typing import Indices, Mask, Matrix, Vector

__all__ = ["CRITERIA", "Cut", "find_cut"]

#: How a part's purity is judged, by the number that the compiled loop knows it by.
CRITERIA = {"error": 0, "gini": 1, "entropy": 2, "exponential": 3}
#: By what share of the weight a later cut must be better: less may be rounding.
MARGIN = 1e-12
#: Tables with fewer entries are searched without other threads.
FEW = 200_000
TWO = 2
#: Features are searched by themselves, so that the answer is the same for any number.
CORES = os.cpu_count() or 1


@dataclass(frozen=True, eq=False)
class Cut:
    """A table in two parts.

    Attributes
    ----------
    feature : int
        -1 where no cut is better than none; then all rows are left.
    threshold : float
    missing_left : bool
    left : ndarray of bool
        The rows on the left.
    weights : ndarray of shape (2, n_classes)
        The weight of each class on the left and on the right.
    """

    feature: int
    threshold: float
    missing_left: bool
    left: Mask
    weights: Matrix


def find_cut(
    columns: SortedColumns, codes: Indices, weights: Vector, count: int, criterion: str
) -> Cut:
    """Return the purest cut; among equals the first feature and the least threshold."""
    total = np.bincount(codes, weights, minlength=count).astype(np.float64)
    value, place, feature, missing_left = _search(
        columns, codes, weights, total, CRITERIA[criterion]
    )
    if feature < 0 or value <= _uncut(total, criterion) + MARGIN * total.sum():
        everywhere = np.ones(len(codes), dtype=np.bool_)
        return Cut(-1, np.inf, True, everywhere, np.stack([total, 0.0 * total]))
    left, parts = columns.sides(
        feature, place, codes, weights, (2, count), missing_left=missing_left
    )
    if columns.known[feature] == columns.starts[feature + 1]:
        missing_left = bool(parts[0].sum() >= parts[1].sum())
    return Cut(feature, columns.threshold(feature, place), missing_left, left, parts)


def _search(
    columns: SortedColumns,
    codes: Indices,
    weights: Vector,
    total: Vector,
    criterion: int,
) -> tuple[float, int, int, bool]:
    margin = MARGIN * float(total.sum())
    signs = len(total) == TWO and criterion == 0
    pairs = _in_pairs(columns, len(total), criterion)
    signed = weights * (2.0 * codes - 1.0) if signs or pairs else weights

    sorted_columns = Columns(
        columns.order, columns.starts, columns.known, columns.zeros, columns.ends
    )

    def search(features: slice) -> tuple[float, int, int, bool]:
        range_ = sorted_columns, features.start, features.stop
        if signs:
            tilt = float(total[1] - total[0])
            found = cut_signs(*range_, signed, tilt, margin)
        elif pairs:
            sums = total[::-1].copy()
            found = cut_pairs(*range_, signed, sums, criterion, margin)
        else:
            found = cut_classes(*range_, codes, weights, total, criterion, margin)
        return found

    few = len(columns.order) < FEW
    every = slice(0, columns.n_features)
    answers = [search(every)] if few else in_parts(columns.n_features, search, CORES)
    best = answers[0]
    for answer in answers[1:]:
        if answer[0] > best[0] + margin:
            best = answer
    value, place, feature, side = best
    if signs:  # |left - right| to the weight that is right
        value = 0.5 * (float(total.sum()) + value)
    return float(value), int(place), int(feature), bool(side)


def _in_pairs(columns: SortedColumns, classes: int, criterion: int) -> bool:
    """Tell whether the quick loop for two classes knows the table and the criterion."""
    whole = (columns.zeros < 0).all() and (columns.known == columns.starts[1:]).all()
    quick = {CRITERIA["gini"], CRITERIA["exponential"]}
    return classes == TWO and criterion in quick and bool(whole)


def _uncut(total: Vector, criterion: str) -> float:
    """Return the purity of the whole table."""
    weight = float(total.sum())
    if criterion == "error":
        return float(total.max())
    if criterion == "gini":
        return float(total @ total) / weight
    if criterion == "entropy":
        seen = total[total > 0]
        return float(seen @ np.log(seen / weight))
    if not total.all():
        return 0.0
    return -len(total) * float(np.exp(np.log(total).mean()))
