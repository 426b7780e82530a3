"""Group thresholds: one score, a threshold for each group, and a fairer decision."""

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from infimum.errors import DataError
from infimum.evaluation import PlainRecord
from infimum.fairness._hull import (
    AIMS,
    GroupPoints,
    group_points,
    mix,
    upper_hull,
)
from infimum.parameters import Choice, check_domain, closed
from infimum.typing import Indices, Mask, Matrix, Vector

__all__ = ["GroupThresholds", "crossing_thresholds", "group_thresholds"]

_MOST_CANDIDATES = 400


@dataclass(frozen=True)
class GroupThresholds(PlainRecord, told=("randomized",)):
    """A rule that chooses a row if its score reaches a threshold of its group.

    Attributes
    ----------
    thresholds : dict from group to tuple of float
        The thresholds of each group; one, or two between which chance decides.
    shares : dict from group to tuple of float
        How often each threshold is used; they sum to 1.
    aim : str
        The criterion that was equalised.
    tolerance : float
        The difference that was allowed.
    accuracy : float
        Share of the rows decided rightly, where the rule was made.
    disparity : float
        Largest difference of the aim's rates between groups, where it was made.
    rates : dict from group to dict
        Selection, true positive and false positive rate of each group.
    """

    thresholds: dict[str, tuple[float, ...]]
    shares: dict[str, tuple[float, ...]]
    aim: str
    tolerance: float
    accuracy: float
    disparity: float
    rates: dict[str, dict[str, float]]

    @property
    def randomized(self) -> bool:
        """Whether chance decides about some rows."""
        return any(len(share) > 1 for share in self.shares.values())

    def choose(self, scores: ArrayLike, groups: ArrayLike, seed: int = 0) -> Mask:
        """Return which rows are decided favourably; the seed decides for chance."""
        values, names = np.asarray(scores, float), np.asarray(groups).astype(str)
        draws = np.random.default_rng(seed).uniform(size=len(values))
        limits = np.empty(len(values))
        for name in np.unique(names).tolist():
            if name not in self.thresholds:
                known = ", ".join(self.thresholds)
                raise DataError(f"No threshold for group {name!r}; known are {known}.")
            here = names == name
            steps = np.cumsum(self.shares[name])[:-1]
            which = np.searchsorted(steps, draws[here], side="right")
            limits[here] = np.asarray(self.thresholds[name])[which]
        return np.asarray(values >= limits)


def group_thresholds(
    scores: ArrayLike,
    y: ArrayLike,
    groups: ArrayLike,
    aim: str = "independence",
    *,
    tolerance: float = 0.0,
    randomized: bool = False,
    favourable: Any = 1,
) -> GroupThresholds:
    """Choose a threshold for each group: the most accurate rule that is fair enough.

    With `randomized` chance may decide between two thresholds of a group. Then all
    points under the groups' ROC curves can be had (Hardt, Price and Srebro), and the
    best rule is found by a linear programme. Without it rates can be equal only up to
    one row of the smallest group (and one of 400 thresholds), which is the least that
    the tolerance means; for separation there may be no rule within it but to choose
    everybody or nobody.

    Parameters
    ----------
    scores : array-like of shape (n,)
        High means likely favourable.
    y, groups : array-like of shape (n,)
    aim : {"independence", "opportunity", "predictive equality", "separation"}
        What is made equal: selection rates, true positive rates, false positive rates,
        or both of the last two.
    tolerance : float in [0, 1], default=0.0
        The largest difference of these rates between groups that is allowed.
    randomized : bool, default=False
    favourable : label, default=1

    Examples
    --------
    >>> import numpy as np
    >>> from infimum.fairness import group_thresholds
    >>> scores = np.array([0.1, 0.4, 0.6, 0.9, 0.0, 0.1, 0.2, 0.5])
    >>> groups = np.repeat(["a", "b"], 4)
    >>> rule = group_thresholds(scores, [0, 0, 1, 1, 0, 0, 1, 1], groups)
    >>> rule.accuracy, rule.disparity, rule.thresholds["b"][0] < rule.thresholds["a"][0]
    (1.0, 0.0, True)
    """
    check_domain("group_thresholds' aim", aim, Choice(tuple(AIMS)))
    check_domain("group_thresholds' tolerance", tolerance, closed(0, 1))
    points = group_points(scores, y, groups, favourable)
    if randomized:
        points = [upper_hull(each) for each in points]
        shares, _ = mix(points, aim, tolerance)
    else:
        points = [_thinned(each) for each in points]
        places = _best_places(points, aim, tolerance)
        shares = [
            (np.arange(len(each.thresholds)) == place).astype(np.float64)
            for each, place in zip(points, places, strict=True)
        ]
    return _rule(points, shares, aim, tolerance)


def crossing_thresholds(
    scores: ArrayLike, y: ArrayLike, groups: ArrayLike, *, favourable: Any = 1
) -> GroupThresholds:
    """Choose the thresholds at which the ROC curves of two groups cross.

    There both error rates agree, so the rule is separated without any chance. Of
    several crossings the most accurate one is taken; DataError if the curves do not
    cross, where `group_thresholds` with ``randomized=True`` has the best answer.
    """
    points = group_points(scores, y, groups, favourable)
    if len(points) != 2:  # noqa: PLR2004
        raise DataError(f"Crossing needs 2 groups, got {len(points)}.")
    first, second = points
    pairs = _crossings(first, second)
    if not pairs:
        raise DataError(
            "The ROC curves of the groups do not cross; use group_thresholds with "
            "randomized=True."
        )
    best = max(pairs, key=lambda pair: first.correct[pair[0]] + second.correct[pair[1]])
    shares = [
        (np.arange(len(each.thresholds)) == place).astype(np.float64)
        for each, place in zip(points, best, strict=True)
    ]
    return _rule(points, shares, "separation", 0.0)


def _crossings(first: GroupPoints, second: GroupPoints) -> list[tuple[int, int]]:
    """Return pairs of thresholds nearest to the points where two curves cross."""
    across = np.union1d(
        first.rate("false positive rate"), second.rate("false positive rate")
    )
    gaps = _height(first, across) - _height(second, across)
    pairs = []
    differing = np.flatnonzero(gaps)
    for here, there in pairwise(differing.tolist()):
        if gaps[here] * gaps[there] > 0:
            continue
        # Neighbours, or with points between them where the curves agree.
        share = gaps[here] / (gaps[here] - gaps[there])
        rate = across[here] + share * (across[there] - across[here])
        height = float(_height(first, np.array([rate]))[0])
        pairs.append((_nearest(first, rate, height), _nearest(second, rate, height)))
    return pairs


def _height(points: GroupPoints, across: Any) -> Vector:
    """Return the height of the ROC curve at false positive rates."""
    rates = points.rate("false positive rate"), points.rate("true positive rate")
    return np.asarray(np.interp(across, rates[0], rates[1]))


def _nearest(points: GroupPoints, across: float, up: float) -> int:
    far = np.abs(points.rate("false positive rate") - across)
    far = np.maximum(far, np.abs(points.rate("true positive rate") - up))
    return int(np.argmin(far))


def _thinned(points: GroupPoints) -> GroupPoints:
    """Keep at most some hundred thresholds, evenly over the rows and the best one."""
    count = len(points.thresholds)
    if count <= _MOST_CANDIDATES:
        return points
    places = np.linspace(0, count - 1, _MOST_CANDIDATES).round().astype(int)
    return points.only(np.union1d(places, [int(np.argmax(points.correct))]))


def _best_places(points: list[GroupPoints], aim: str, tolerance: float) -> list[int]:
    """Return one threshold a group: the most right decisions within the tolerance.

    All rates lie within the tolerance of each other exactly if they lie in a window of
    that length, which may be taken to start at one of them.
    """
    rates = [np.array([each.rate(name) for name in AIMS[aim]]) for each in points]
    width = max(tolerance, _finest(points, aim)) + 1e-12
    starts = _window_starts(rates)
    places = np.array(
        [
            _best_in_windows(each.correct, values, starts, width)
            for each, values in zip(points, rates, strict=True)
        ]
    )
    right = [e.correct[np.maximum(i, 0)] for e, i in zip(points, places, strict=True)]
    totals = np.where(places.min(axis=0) >= 0, np.sum(right, axis=0), -1.0)
    return [int(place) for place in places[:, int(np.argmax(totals))]]


def _finest(points: list[GroupPoints], aim: str) -> float:
    """Return the smallest difference of rates that thresholds can be asked for."""
    counts = {
        "selection rate": [each.n for each in points],
        "true positive rate": [each.positives for each in points],
        "false positive rate": [each.negatives for each in points],
    }
    least = min(max(1, min(counts[name])) for name in AIMS[aim])
    return 1.0 / min(least, _MOST_CANDIDATES - 1)


def _window_starts(rates: list[Any]) -> Matrix:
    """Return the lower corners of the windows to try, one column a rate."""
    axes = [
        np.unique(np.concatenate([values[i] for values in rates]))
        for i in range(len(rates[0]))
    ]
    if len(axes) == 1:
        return axes[0][:, None]
    thin = [
        axis[np.unique(np.linspace(0, len(axis) - 1, 60).round().astype(int))]
        for axis in axes
    ]
    return np.stack(np.meshgrid(*thin, indexing="ij"), axis=-1).reshape(-1, len(axes))


def _best_in_windows(
    correct: Vector, rates: Matrix, starts: Matrix, width: float
) -> Indices:
    """Return the best threshold of a group in every window; -1 where there is none.

    All rates grow as the threshold falls, so a window is a stretch of thresholds. The
    best of a stretch is the better of two overlapping ones whose length is a power of
    2, and those are known for all beginnings.
    """
    first = np.zeros(len(starts), dtype=np.intp)
    last = np.full(len(starts), len(correct))
    for rate, start in zip(rates, starts.T, strict=True):
        first = np.maximum(first, np.searchsorted(rate, start - 1e-12, "left"))
        last = np.minimum(last, np.searchsorted(rate, start + width, "right"))
    best = [np.arange(len(correct))]
    while (1 << len(best)) <= len(correct):
        half = 1 << (len(best) - 1)
        one, other = best[-1][:-half], best[-1][half:]
        best.append(np.where(correct[one] >= correct[other], one, other))
    length = last - first
    level = np.frexp(np.maximum(length, 1))[1] - 1
    found = np.full(len(starts), -1)
    for power, known in enumerate(best):
        here = np.flatnonzero((level == power) & (length > 0))
        one, other = known[first[here]], known[last[here] - (1 << power)]
        found[here] = np.where(correct[one] >= correct[other], one, other)
    return found


def _rule(
    points: list[GroupPoints], shares: list[Any], aim: str, tolerance: float
) -> GroupThresholds:
    used = [np.flatnonzero(share > 1e-9) for share in shares]
    total = sum(each.n for each in points)
    names = ("selection rate", "true positive rate", "false positive rate")
    rates = {
        each.name: {name: float(each.rate(name) @ share) for name in names}
        for each, share in zip(points, shares, strict=True)
    }
    gaps = [np.ptp([rates[each.name][name] for each in points]) for name in AIMS[aim]]
    right = sum(float(e.correct @ s) for e, s in zip(points, shares, strict=True))
    return GroupThresholds(
        thresholds={
            each.name: tuple(each.thresholds[where].tolist())
            for each, where in zip(points, used, strict=True)
        },
        shares={
            each.name: tuple((share[where] / share[where].sum()).tolist())
            for each, share, where in zip(points, shares, used, strict=True)
        },
        aim=aim,
        tolerance=tolerance,
        accuracy=right / total,
        disparity=float(max(gaps)),
        rates=rates,
    )
