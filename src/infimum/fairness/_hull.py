"""ROC points of each group, and the programme that mixes them into a fair rule."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import linprog

from infimum.errors import DataError
from infimum.typing import Matrix, Vector

__all__ = ["GroupPoints", "group_points", "mix", "upper_hull"]

#: The rates that each aim makes equal.
AIMS = {
    "independence": ("selection rate",),
    "opportunity": ("true positive rate",),
    "predictive equality": ("false positive rate",),
    "separation": ("true positive rate", "false positive rate"),
}


@dataclass(frozen=True)
class GroupPoints:
    """The thresholds of one group and the counts each of them gives.

    A row is chosen if its score is at least the threshold; the first threshold chooses
    nobody, the last one everybody.
    """

    name: str
    thresholds: Vector
    true_positives: Vector
    false_positives: Vector
    positives: int
    negatives: int

    @property
    def n(self) -> int:
        """Rows of the group."""
        return self.positives + self.negatives

    @property
    def correct(self) -> Vector:
        """How many rows each threshold decides rightly."""
        return self.true_positives + self.negatives - self.false_positives

    def rate(self, name: str) -> Vector:
        """Return a rate at every threshold."""
        if name == "selection rate":
            return (self.true_positives + self.false_positives) / self.n
        if name == "true positive rate":
            return self.true_positives / max(self.positives, 1)
        return self.false_positives / max(self.negatives, 1)

    def only(self, places: Any) -> "GroupPoints":
        """Return the same group with some of its thresholds."""
        return GroupPoints(
            self.name,
            self.thresholds[places],
            self.true_positives[places],
            self.false_positives[places],
            self.positives,
            self.negatives,
        )


def group_points(
    scores: ArrayLike, y: ArrayLike, groups: ArrayLike, favourable: Any
) -> list[GroupPoints]:
    """Count, for every group, what each threshold on its scores decides."""
    values = np.asarray(scores, dtype=np.float64)
    true, names = np.asarray(y) == favourable, np.asarray(groups)
    if not len(values) == len(true) == len(names) or len(values) == 0:
        raise DataError(
            "Group thresholds need one score, one truth and one group a row, got "
            f"{len(values)}, {len(true)} and {len(names)}."
        )
    if not np.isfinite(values).all():
        raise DataError("Group thresholds need finite scores.")
    names = names.astype(str)
    return [
        _points(name, values[names == name], true[names == name])
        for name in np.unique(names).tolist()
    ]


def upper_hull(points: GroupPoints) -> GroupPoints:
    """Keep the thresholds on the upper convex hull of the ROC curve."""
    across, up = points.rate("false positive rate"), points.rate("true positive rate")
    kept: list[int] = []
    for place in range(len(across)):
        while len(kept) > 1 and _below(across, up, kept[-2], kept[-1], place):
            kept.pop()
        kept.append(place)
    return points.only(np.array(kept))


def mix(
    points: list[GroupPoints], aim: str, tolerance: float
) -> tuple[list[Vector], float]:
    """Return the shares of each group's thresholds that err least, and the accuracy.

    A linear programme: shares are not negative and sum to 1 in every group, and no two
    groups differ by more than the tolerance in any of the aim's rates.
    """
    sizes = [len(each.thresholds) for each in points]
    starts = np.concatenate([[0], np.cumsum(sizes)])
    n = sum(each.n for each in points)
    gain = np.concatenate([each.correct / n for each in points])
    whole = np.zeros((len(points), starts[-1]))
    rows: list[Vector] = []
    for place in range(len(points)):
        whole[place, starts[place] : starts[place + 1]] = 1.0
    for name in AIMS[aim]:
        spread: Matrix = np.zeros((len(points), starts[-1]))
        for place, each in enumerate(points):
            spread[place, starts[place] : starts[place + 1]] = each.rate(name)
        for first in range(len(points)):
            rows += [
                spread[first] - spread[i] for i in range(len(points)) if i != first
            ]
    found = linprog(
        -gain,
        A_ub=np.array(rows) if rows else None,
        b_ub=np.full(len(rows), tolerance) if rows else None,
        A_eq=whole,
        b_eq=np.ones(len(points)),
        method="highs-ds",
    )
    if found.status != 0:
        raise DataError(f"No rule with {aim} within {tolerance:g} was found.")
    shares = np.maximum(np.asarray(found.x), 0.0)
    parts = [shares[starts[i] : starts[i + 1]] for i in range(len(points))]
    return [part / part.sum() for part in parts], float(gain @ shares)


def _points(name: str, scores: Vector, true: NDArray[np.bool_]) -> GroupPoints:
    order = np.argsort(-scores, kind="stable")
    ordered, hit = scores[order], true[order]
    last = np.append(np.flatnonzero(np.diff(ordered)), len(ordered) - 1)
    found = np.concatenate([[0], np.cumsum(hit)[last]])
    chosen = np.concatenate([[0], last + 1])
    # Halfway between two scores, so that a threshold does not sit on a row.
    below = np.append(ordered[last[:-1] + 1], -np.inf)
    middles = np.where(np.isfinite(below), 0.5 * (ordered[last] + below), -np.inf)
    return GroupPoints(
        name=str(name),
        thresholds=np.concatenate([[np.inf], middles]),
        true_positives=found.astype(np.float64),
        false_positives=(chosen - found).astype(np.float64),
        positives=int(true.sum()),
        negatives=int(np.sum(~true)),
    )


def _below(across: Vector, up: Vector, first: int, middle: int, last: int) -> bool:
    """Tell whether the middle point lies on or below the chord of the other two."""
    one = (across[middle] - across[first]) * (up[last] - up[first])
    other = (up[middle] - up[first]) * (across[last] - across[first])
    return bool(one >= other - 1e-15)
