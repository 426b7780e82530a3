"""A finer look at readable models, on the folds of the race."""

import time
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from scipy import sparse
from sklearn.pipeline import Pipeline

from infimum.errors import InfimumError
from infimum.evaluation import Split
from infimum.evaluation.scoring import Criterion, count_extreme, measure, predict_all
from infimum.learn.choose.refit import fitted
from infimum.learn.choose.rule import Standing, words
from infimum.learn.encoded_fold import EncodedFold, collecting, features_in_use
from infimum.learn.problem import Problem
from infimum.learn.readable.trials import FEW, Trial, leaves_of, trials
from infimum.limits import time_is_up, time_limit
from infimum.typing import Mask, Vector

__all__ = ["Candidate", "finer_look", "of_the_race"]

#: Entries of a table from which on its folds are not kept in memory all at once.
_SMALL = 1_000_000


class Candidate(NamedTuple):
    """A readable model: how it did on the folds, and how to fit it on all rows.

    `size` is the average number of features in use; `fragile` tells for each fold
    whether it answered out of all proportion.
    """

    name: str
    label: str
    words: str
    rank: int
    size: float
    errors: Vector
    fragile: Mask
    fit: Callable[[Problem], Pipeline]
    value: float | None = None


class _Shown(NamedTuple):
    """What the models of a trial showed on one fold: a place a model in every list."""

    errors: list[float]
    sizes: list[int]
    extreme: list[int]


def of_the_race(standing: Sequence[Standing]) -> list[Candidate]:
    """Return the settings of the race that a person can read, constants included."""
    return [
        _raced(each, place)
        for each in standing
        for place, value in enumerate(each.values)
        if each.tally.contender.readable
        and each.weights[place] <= FEW
        and leaves_of(each.tally.contender, value) <= FEW
    ]


def finer_look(
    problem: Problem,
    standing: Sequence[Standing],
    splits: Sequence[Split],
    criterion: Criterion,
    end: float,
) -> list[Candidate]:
    """Return further readable models, judged on the folds that the race has judged by.

    Columns are chosen and strengths are found on every fold anew, by its training rows.
    What the first shows to take too long is left out; what is not judged on all of them
    by the `end` does not count.
    """
    judged = splits[: standing[0].folds]
    encodings = _Grounds(problem, judged)
    found: list[Candidate] = []
    with time_limit(end - time.perf_counter()), collecting():
        for trial in trials(problem, standing):
            if time_is_up():
                break
            shown = _run(trial, encodings, criterion, end)
            if len(shown) == len(judged):
                found += _candidates(trial, shown)
    return found


class _Grounds:
    """The folds, encoded once for all trials where that takes little memory."""

    def __init__(self, problem: Problem, splits: Sequence[Split]) -> None:
        self.problem, self.splits = problem, splits
        small = problem.rows.shape[0] * problem.rows.shape[1] <= _SMALL
        self.kept = [EncodedFold(problem, split) for split in splits] if small else None

    def __iter__(self) -> Iterator[EncodedFold]:
        if self.kept is not None:
            return iter(self.kept)
        return (EncodedFold(self.problem, split) for split in self.splits)


def _run(
    trial: Trial, encodings: _Grounds, criterion: Criterion, end: float
) -> list[_Shown]:
    """Return what a trial shows on the folds, on some if the first tells it is slow."""
    shown: list[_Shown] = []
    for encoded in encodings:
        began = time.perf_counter()
        told = _judged(trial, encoded, criterion)
        if told is None or time_is_up():  # what was cut short shows nothing
            break
        shown.append(told)
        now = time.perf_counter()
        if now + (len(encodings.splits) - len(shown)) * (now - began) > end:
            break
    return shown


def _judged(trial: Trial, encoded: EncodedFold, criterion: Criterion) -> _Shown | None:
    """Return what a trial shows on a fold; None if it cannot be fitted there."""
    encoder, X, held = encoded.view(trial.view)
    if sparse.issparse(X) and not trial.sparse:
        return None
    classes = encoded.problem.classes
    try:
        models = trial.fit(X, encoded.y, encoded.weights, encoder)
        said = [predict_all(model, held, classes) for model in models]
    except (ArithmeticError, ValueError, InfimumError):
        return None
    told = [
        measure(encoded.held_targets, each, classes, criterion, encoded.held_weights)
        for each in said
    ]
    values = [each[criterion.metric] for each in told]
    errors = [np.inf if each is None else criterion.error(each) for each in values]
    extreme = count_extreme(said, encoded.y) if len(classes) == 0 else [0] * len(said)
    return _Shown(errors, [features_in_use(model) for model in models], extreme)


def _candidates(trial: Trial, shown: Sequence[_Shown]) -> list[Candidate]:
    errors = np.array([each.errors for each in shown]).T
    sizes = np.array([each.sizes for each in shown]).T
    extreme = np.array([each.extreme for each in shown]).T
    return [
        Candidate(
            trial.name,
            trial.label,
            said,
            trial.rank,
            float(sizes[place].mean()),
            errors[place],
            extreme[place] > 0,
            _whole_fit(trial, place),
        )
        for place, said in enumerate(trial.words)
        if np.isfinite(errors[place]).all()
    ]


def _whole_fit(trial: Trial, place: int) -> Callable[[Problem], Pipeline]:
    def fit(problem: Problem) -> Pipeline:
        encoder, X = problem.encoded(trial.view)
        models = trial.fit(X, problem.y, problem.weights, encoder)
        return Pipeline([("encoder", encoder), ("model", models[place])])

    return fit


def _raced(standing: Standing, place: int) -> Candidate:
    tally, value = standing.tally, standing.values[place]
    return Candidate(
        tally.contender.name,
        tally.contender.label,
        words(tally, value),
        tally.contender.rank,
        float(standing.weights[place]),
        standing.errors[place],
        standing.fragile[place],
        lambda problem: fitted(problem, standing, value),
        value,
    )
