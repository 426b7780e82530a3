"""A blend: the average of the best few, if it is better beyond the noise."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from infimum.data.doors import winners
from infimum.evaluation import ErrorTable, Split
from infimum.evaluation.scoring import Criterion, Predictions, measure
from infimum.evaluation.selection_rules import standard_error
from infimum.learn.choose.rule import Standing
from infimum.learn.problem import Problem
from infimum.learn.result import ContenderResult
from infimum.typing import Indices, Vector

__all__ = ["Blend", "blend_label", "blend_result", "find_blend"]


#: So many contenders may enter a blend, and so many times one of them is added.
_MOST, _ADDED = 4, 8
#: Fewer folds say nothing about the noise of a difference.
_FEWEST_FOLDS = 3
_TWO, _HALF = 2, 0.5
#: The position of a contender, and of one of its settings.
Member = tuple[int, int]


class Blend(NamedTuple):
    """Contenders (positions and settings) with their shares, and what it gains.

    `errors` are those on each fold with members, settings and shares that the other
    folds have taught; the gain is over the single setting that they would have taken.
    Not `steady` is what has a worse fold than any of that: answers without bound can be
    better on four folds and out of all proportion on the fifth.
    """

    members: tuple[tuple[int, int], ...]
    shares: tuple[float, ...]
    errors: Vector
    metrics: tuple[dict[str, float | None], ...]
    gain: float
    noise: float
    steady: bool = True

    @property
    def pays(self) -> bool:
        """Whether it is `steady` and gains more than noise over the best contender."""
        return self.steady and self.gain > self.noise


def find_blend(
    standing: Sequence[Standing],
    problem: Problem,
    splits: Sequence[Split],
    criterion: Criterion,
) -> Blend | None:
    """Weigh the best contenders by their predictions for rows they had not seen.

    The shares are found by adding, again and again, the contender that helps most, or
    hurts least; the best mixture on the way is kept. What answered out of all
    proportion on some fold does not enter: a mixture answers wildly where one of its
    members does.
    """
    every = np.arange(standing[0].folds)
    if len(every) < _FEWEST_FOLDS:
        return None
    held = [split.held_back for split in splits[: len(every)]]
    mixer = _Mixer(standing, problem, held, criterion)
    pool, shares = mixer.mixture(every)
    taken = np.flatnonzero(shares)
    if len(taken) < _TWO:
        return None
    tables, singles = [], []
    for fold in every.tolist():
        others = every[every != fold]
        tables.append(mixer.judged(fold, *mixer.mixture(others)))
        singles.append(_single(standing, others, fold))
    errors = np.array([mixer.error(table) for table in tables])
    gain = np.array(singles) - errors
    return Blend(
        tuple(pool[place] for place in taken),
        tuple(shares[taken].tolist()),
        errors,
        tuple(tables),
        float(gain.mean()),
        standard_error(gain),
        bool(len(problem.classes) or errors.max() <= max(singles)),
    )


class _Mixer:
    """Averages of predictions on the folds, and how good they are."""

    def __init__(
        self,
        standing: Sequence[Standing],
        problem: Problem,
        held: Sequence[NDArray[Any]],
        criterion: Criterion,
    ) -> None:
        self.standing = standing
        self.problem, self.held, self.criterion = problem, held, criterion
        self.known: dict[Any, float] = {}

    def mixture(self, folds: Indices) -> tuple[list[Member], Vector]:
        """Return the members that are best on these folds, and their best shares."""
        pool = _pool(self.standing, folds)
        return pool, self.shares(pool, folds)

    def shares(self, pool: Sequence[Member], folds: Indices) -> Vector:
        """Return the shares of some members that are best on these folds."""
        counts, best = np.zeros(len(pool)), np.inf
        kept = counts
        for _ in range(_ADDED if len(pool) else 0):
            trials = [self._trial(pool, counts, k, folds) for k in range(len(pool))]
            place = int(np.argmin(trials))
            # The best one once more may be no gain, and make room for a small share.
            counts = counts + (np.arange(len(pool)) == place)
            if trials[place] < best:
                best, kept = trials[place], counts
        return np.asarray(kept / max(kept.sum(), 1))

    def judged(
        self, fold: int, pool: Sequence[Member], shares: Vector
    ) -> dict[str, float | None]:
        """Return the metrics of a mixture on a fold."""
        taking = np.flatnonzero(shares)
        members = [pool[place] for place in taking.tolist()]
        said = [(self.standing[i].said(j) or [])[fold] for i, j in members]
        mixed = np.tensordot(shares[taking], said, axes=1)
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

    def _trial(
        self, pool: Sequence[Member], counts: Vector, place: int, folds: Indices
    ) -> float:
        trial = counts.astype(int)
        trial[place] += 1
        return float(np.mean([self._at(fold, pool, trial) for fold in folds.tolist()]))

    def _at(self, fold: int, pool: Sequence[Member], counts: Indices) -> float:
        """Return the error of a mixture on a fold; the others ask for it again."""
        least = counts // np.gcd.reduce(counts)
        key = fold, *(k for k in zip(pool, least.tolist(), strict=True) if k[1])
        if key not in self.known:
            table = self.judged(fold, pool, counts / counts.sum())
            self.known[key] = self.error(table)
        return self.known[key]


def _pool(standing: Sequence[Standing], folds: Indices) -> list[Member]:
    """Return the best contenders by some folds, each at its best steady setting."""
    able = []
    for place, each in enumerate(standing):
        if each.tally.contender.fixed:
            continue
        means = ErrorTable(each.errors[:, folds]).means
        steady = np.isfinite(means) & ~np.any(each.fragile[:, folds], axis=1)
        if not steady.any():
            continue
        setting = int(np.argmin(np.where(steady, means, np.inf)))
        if each.said(setting) is not None:
            able.append((float(means[setting]), place, setting))
    return [(place, setting) for _, place, setting in sorted(able)[:_MOST]]


def _single(standing: Sequence[Standing], folds: Indices, fold: int) -> float:
    """Return the error on a fold of the single setting that is best on others."""
    errors = np.concatenate([each.errors for each in standing])
    best = int(np.nanargmin(ErrorTable(errors[:, folds]).means))
    return float(errors[best, fold])


def _predictions(mixed: Any, problem: Problem) -> Predictions:
    classes = problem.classes
    if len(classes) == 0:
        return Predictions(mixed[:, 0], mixed, None)
    if problem.y.ndim > 1:  # an answer for each of several labels
        return Predictions((mixed > _HALF).astype(int), mixed, mixed)
    scores = mixed[:, 1:] if len(classes) == _TWO else mixed
    return Predictions(classes[winners(mixed)], scores, mixed)


def blend_label(blend: Blend, standing: Sequence[Standing]) -> str:
    """Name the members of a blend with their shares."""
    parts = [
        f"{share:.0%} {standing[i].tally.contender.label}"
        for share, (i, _) in zip(blend.shares, blend.members, strict=True)
    ]
    return "Blend of " + ", ".join(parts[:-1]) + " and " + parts[-1]


def blend_result(
    blend: Blend, standing: Sequence[Standing], criterion: Criterion
) -> ContenderResult:
    """Describe a blend as a contender with one setting."""
    used = max(standing[i].weights[j] for i, j in blend.members)
    names = blend.metrics[0]
    return ContenderResult(
        name="blend",
        label=blend_label(blend, standing),
        parameter="setting",
        values=(0.0,),
        scores=(criterion.error(float(blend.errors.mean())),),
        spreads=(standard_error(blend.errors),),
        weights=(float(used),),
        best=0,
        pick=0,
        folds=len(blend.errors),
        seconds=sum(standing[i].tally.seconds for i, _ in blend.members),
        metrics={name: _mean([fold[name] for fold in blend.metrics]) for name in names},
        proof=None,
        trace=(),
        words=("shares by rows held back",),
    )


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return float(np.mean(known)) if known else None
