"""A blend: the average of the best few, if it is better beyond the noise."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from infimum.evaluation import Split
from infimum.learn.choosing import Standing, standard_error
from infimum.learn.problem import Problem
from infimum.learn.scoring import Criterion, Predictions, measure
from infimum.typing import Vector

__all__ = ["Blend", "find_blend"]

#: So many contenders may enter a blend, and so many times one of them is added.
_MOST, _ADDED = 4, 8
#: Fewer folds say nothing about the noise of a difference.
_FEWEST_FOLDS = 3
_TWO_CLASSES, _HALF = 2, 0.5


class Blend(NamedTuple):
    """Contenders (positions and settings) with their shares, and what it gains.

    `errors` are those on each fold with shares that the other folds have taught.
    """

    members: tuple[tuple[int, int], ...]
    shares: tuple[float, ...]
    errors: Vector
    metrics: tuple[dict[str, float | None], ...]
    gain: float
    noise: float

    @property
    def pays(self) -> bool:
        """Whether the gain over the best single contender is beyond its noise."""
        return self.gain > self.noise


def find_blend(
    standing: Sequence[Standing],
    problem: Problem,
    splits: Sequence[Split],
    criterion: Criterion,
) -> Blend | None:
    """Weigh the best contenders by their predictions for rows they had not seen.

    The shares are found by adding, again and again, the contender that helps most.
    """
    pool = _pool(standing)
    if len(pool) < _MOST // 2 or standing[0].folds < _FEWEST_FOLDS:
        return None
    held = [split.held_back for split in splits[: standing[0].folds]]
    mixer = _Mixer(standing, pool, problem, held, criterion)
    every = list(range(len(held)))
    tables = []
    for fold in every:
        shares = mixer.shares([other for other in every if other != fold])
        tables.append(mixer.judged(fold, shares))
    errors = np.array([mixer.error(table) for table in tables])
    shares = mixer.shares(every)
    taken = np.flatnonzero(shares)
    if len(taken) < _TWO_CLASSES:
        return None
    best = min((each.errors[each.best] for each in standing), key=np.nanmean)
    gain = best - errors
    return Blend(
        tuple(pool[place] for place in taken),
        tuple(shares[taken].tolist()),
        errors,
        tuple(tables),
        float(gain.mean()),
        standard_error(gain),
    )


class _Mixer:
    """Averages of predictions on the folds, and how good they are."""

    def __init__(
        self,
        standing: Sequence[Standing],
        pool: Sequence[tuple[int, int]],
        problem: Problem,
        held: Sequence[NDArray[Any]],
        criterion: Criterion,
    ) -> None:
        self.tables = [standing[i].said(j) or [] for i, j in pool]
        self.problem, self.held, self.criterion = problem, held, criterion

    def shares(self, folds: Sequence[int]) -> Vector:
        """Return the shares of the pool that are best on these folds."""
        counts = np.zeros(len(self.tables))
        best = np.inf
        for _ in range(_ADDED):
            trials = [self._trial(counts, place, folds) for place in range(len(counts))]
            place = int(np.argmin(trials))
            if not trials[place] < best:
                break
            best = trials[place]
            counts[place] += 1
        return np.asarray(counts / max(counts.sum(), 1))

    def judged(self, fold: int, shares: Vector) -> dict[str, float | None]:
        """Return the metrics of a mixture on a fold."""
        mixed = np.tensordot(shares, [table[fold] for table in self.tables], axes=1)
        rows, weights = self.held[fold], self.problem.weights
        return measure(
            self.problem.y[rows],
            _predictions(mixed.astype(float), self.problem),
            self.problem.classes,
            self.criterion,
            None if weights is None else weights[rows],
        )

    def error(self, table: dict[str, float | None]) -> float:
        """Return the number to minimise."""
        value = table[self.criterion.metric]
        return np.inf if value is None else self.criterion.error(value)

    def _trial(self, counts: Vector, place: int, folds: Sequence[int]) -> float:
        trial = counts.copy()
        trial[place] += 1
        shares = trial / trial.sum()
        return float(np.mean([self.error(self.judged(f, shares)) for f in folds]))


def _pool(standing: Sequence[Standing]) -> list[tuple[int, int]]:
    able = [
        (float(each.means[each.best]), place, each.best)
        for place, each in enumerate(standing)
        if not each.heat.contender.fixed and each.said(each.best) is not None
    ]
    return [(place, setting) for _, place, setting in sorted(able)[:_MOST]]


def _predictions(mixed: Any, problem: Problem) -> Predictions:
    classes = problem.classes
    if len(classes) == 0:
        return Predictions(mixed[:, 0], mixed, None)
    if problem.y.ndim > 1:  # an answer for each of several labels
        return Predictions((mixed > _HALF).astype(int), mixed, mixed)
    scores = mixed[:, 1:] if len(classes) == _TWO_CLASSES else mixed
    return Predictions(classes[mixed.argmax(axis=1)], scores, mixed)
