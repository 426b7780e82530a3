"""From scores to probabilities, learnt on scores of samples left out of the fit."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from copy import copy
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import isotonic_regression
from scipy.special import expit
from sklearn.model_selection import StratifiedKFold

from infimum.models._kernel_door import select
from infimum.typing import Indices, Matrix, Vector

__all__ = ["ScoreCalibration", "coupled", "platt"]

FOLDS = 5
STEPS = 100
#: A value may rise by this share of itself: that is its rounding, not the step.
ROUNDING = 1e-14


@dataclass
class ScoreCalibration:
    """A rising map from score to probability for each machine of a classifier."""

    kind: str
    #: Per machine: (slope, offset) of a sigmoid, or (scores, probabilities) of steps.
    maps: list[Any] = field(default_factory=list)

    @classmethod
    def learn(
        cls,
        machine: Any,
        things: Any,
        codes: NDArray[np.intp],
        weights: Vector,
        kind: str,
    ) -> Self:
        """Fit the maps on cross-validated scores of `machine`."""
        scores = _held_out_scores(machine, things, codes, weights)
        found = cls(kind)
        for column, binary in zip(
            scores.T, machine._binary_problems(codes, weights), strict=True
        ):
            held, share = column[binary.rows], weights[binary.rows]
            learn = platt if kind == "sigmoid" else _steps
            found.maps.append(learn(held, binary.signs, share))
        return found

    def chances(self, scores: Matrix) -> Matrix:
        """Return the probability of the positive side of each machine."""
        columns = []
        for column, (first, second) in zip(scores.T, self.maps, strict=True):
            if self.kind == "sigmoid":
                columns.append(expit(first * column + second))
            else:
                columns.append(np.interp(column, first, second))
        return np.column_stack(columns)


def _held_out_scores(
    machine: Any, things: Any, codes: NDArray[np.intp], weights: Vector
) -> Matrix:
    precomputed = machine.kernel_ is None
    scores: Any = None
    for train, test in _folds(machine, things, codes, weights):
        part = copy(machine)
        part.probability = False
        part.gamma = machine._gamma
        part.class_weight = None
        kept = machine._some(things, train)
        labels = machine.classes_[codes[train]]
        part.fit(kept, labels, weights[train])
        other = things[np.ix_(test, train)] if precomputed else select(things, test)
        found = part._scores(other)
        scores = np.zeros((len(codes), found.shape[1])) if scores is None else scores
        scores[test] = found
    return np.asarray(scores)


def _folds(
    machine: Any, things: Any, codes: NDArray[np.intp], weights: Vector
) -> Iterator[tuple[Indices, Indices]]:
    """Yield the rows to learn from and those to leave out, copies together.

    Copies on both sides would make scores too good, and five samples of weight 2
    other folds than ten of weight 1. The only sample of a class is never left out: no
    machine can be learnt without it, so its score is that of the last one.
    """
    rows = np.flatnonzero(weights > 0)
    kinds = _kinds(select(things, rows), codes[rows])
    _, first = np.unique(kinds, return_index=True)
    own = codes[rows[first]]
    counts = np.bincount(own)
    lone = counts[own] == 1
    if lone.all():
        yield rows, rows
        return
    fewest = int(counts[counts > 1].min())
    state = machine.random_state
    folds = StratifiedKFold(min(FOLDS, fewest), shuffle=True, random_state=state)
    shared, alone = np.flatnonzero(~lone), np.isin(kinds, np.flatnonzero(lone))
    for _, out in folds.split(np.zeros(len(shared)), own[shared]):
        held = np.isin(kinds, shared[out])
        yield rows[~held], rows[held | alone]


def _kinds(things: Any, codes: NDArray[np.intp]) -> Indices:
    """Return a number for each sample, the same for copies with the same label."""
    numbers: dict[Hashable, int] = {}
    keys = zip(_names(things), codes.tolist(), strict=True)
    return np.array([numbers.setdefault(key, len(numbers)) for key in keys])


def _names(things: Any) -> Iterator[Hashable]:
    """Yield something equal for equal samples; for what has no name, its identity."""
    if hasattr(things, "tocsr"):
        rows = things.tocsr(copy=True)
        rows.eliminate_zeros()
        for start, stop in pairwise(rows.indptr.tolist()):
            some = slice(start, stop)
            yield rows.indices[some].tobytes(), rows.data[some].tobytes()
    elif hasattr(things, "shape"):
        for row in np.ascontiguousarray(things + 0.0):  # 0.0 and -0.0 are one number
            yield row.tobytes()
    else:
        for thing in things:
            yield thing if isinstance(thing, str | bytes | frozenset) else id(thing)


def platt(scores: Vector, signs: Vector, weights: Vector) -> tuple[float, float]:
    """Return slope and offset of the sigmoid that makes held-out labels likeliest.

    The labels are drawn in by one pseudo-sample a side, so that a perfect separation
    does not ask for an infinite slope (Platt 1999; Lin, Lin & Weng 2007).
    """
    positive = float(weights[signs > 0].sum())
    negative = float(weights[signs < 0].sum())
    target = np.where(
        signs > 0, (positive + 1.0) / (positive + 2.0), 1.0 / (negative + 2.0)
    )
    slope, offset = 0.0, float(np.log((positive + 1.0) / (negative + 1.0)))
    value = _deviance(scores, target, weights, slope, offset)
    for _ in range(STEPS):
        chance = expit(slope * scores + offset)
        error, bend = weights * (chance - target), weights * chance * (1.0 - chance)
        gradient = np.array([error @ scores, error.sum()])
        moments = np.array(
            [
                [bend @ scores**2 + 1e-12, bend @ scores],
                [bend @ scores, bend.sum() + 1e-12],
            ]
        )
        if np.abs(gradient).max() <= 1e-10 * weights.sum():
            break
        step = np.linalg.solve(moments, gradient)
        length = 1.0
        while length > 1e-10:
            trial = slope - length * step[0], offset - length * step[1]
            lower = _deviance(scores, target, weights, *trial)
            fall = 1e-4 * length * float(gradient @ step)
            if lower <= value - fall + ROUNDING * value:
                break
            length *= 0.5
        else:
            break
        (slope, offset), value = trial, lower
    return float(slope), float(offset)


def _deviance(
    scores: Vector, target: Vector, weights: Vector, slope: float, offset: float
) -> float:
    logits = slope * scores + offset
    return float(weights @ (np.logaddexp(0.0, logits) - target * logits))


def _steps(scores: Vector, signs: Vector, weights: Vector) -> tuple[Vector, Vector]:
    """Return the rising step function nearest to the held-out labels."""
    places, own = np.unique(scores, return_inverse=True)
    totals = np.bincount(own, weights=weights)
    shares = np.bincount(own, weights=weights * (signs > 0)) / totals
    levels = isotonic_regression(shares, weights=totals).x
    return places, np.asarray(levels)


def coupled(chances: Matrix, classes: int) -> Matrix:
    """Return class probabilities that agree best with those of all pairs.

    Minimises the squared disagreement Σ (r_ji p_i - r_ij p_j)² over distributions (Wu,
    Lin & Weng 2004, second approach): one linear system a sample.
    """
    n = len(chances)
    pairs = np.zeros((n, classes, classes))
    places = np.triu_indices(classes, 1)
    pairs[:, places[0], places[1]] = np.clip(chances, 1e-7, 1.0 - 1e-7)
    pairs[:, places[1], places[0]] = 1.0 - pairs[:, places[0], places[1]]
    quadratic = -pairs * np.swapaxes(pairs, 1, 2)
    own = np.arange(classes)
    quadratic[:, own, own] = (np.swapaxes(pairs, 1, 2) ** 2).sum(axis=2)
    system = np.zeros((n, classes + 1, classes + 1))
    system[:, :classes, :classes] = quadratic
    system[:, :classes, classes] = system[:, classes, :classes] = 1.0
    right = np.zeros((n, classes + 1, 1))
    right[:, classes] = 1.0
    found = np.linalg.solve(system, right)[:, :classes, 0]
    found = np.clip(found, 1e-12, None)
    return np.asarray(found / found.sum(axis=1, keepdims=True))
