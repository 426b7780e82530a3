"""The champion of the readable: a few weights or a few questions, and their price."""

import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse
from sklearn.pipeline import Pipeline

from infimum.errors import InfimumError
from infimum.evaluation import ErrorTable, Split
from infimum.evaluation.scoring import Criterion, count_extreme, measure, predict_all
from infimum.evaluation.selection_rules import not_clearly_beaten, standard_error
from infimum.learn.choose.refit import fitted
from infimum.learn.choose.rule import Standing, words
from infimum.learn.choose.trials import FEW, Trial, leaves_of, trials, written
from infimum.learn.clock import TimeUpError
from infimum.learn.folds import EncodedFold, collecting, features_in_use
from infimum.learn.journal import Decisions
from infimum.learn.problem import Problem
from infimum.limits import time_is_up, time_limit
from infimum.typing import Indices, Mask, Vector

__all__ = ["NOBODY", "Candidate", "find_champion", "finer_look", "of_the_race"]


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
    encodings = _Folds(problem, judged)
    found: list[Candidate] = []
    with time_limit(end - time.perf_counter()), collecting():
        for trial in trials(problem, standing):
            if time_is_up():
                break
            shown = _run(trial, encodings, criterion, end)
            if len(shown) == len(judged):
                found += _candidates(trial, shown)
    return found


class _Folds:
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
    trial: Trial, encodings: _Folds, criterion: Criterion, end: float
) -> list[_Shown]:
    """Return what a trial shows on the folds, on some if the first tells it is slow."""
    shown: list[_Shown] = []
    for encoded in encodings:
        began = time.perf_counter()
        found = _judged(trial, encoded, criterion)
        if found is None or time_is_up():  # what was cut short shows nothing
            break
        shown.append(found)
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
    found = [
        measure(encoded.held_targets, each, classes, criterion, encoded.held_weights)
        for each in said
    ]
    values = [each[criterion.metric] for each in found]
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


#: Seconds for a finer look, and for the errors of weights, at least; and their parts of
#: the time left.
_LEAST = 2.0
_LOOK, _SHARE = 0.5, 0.15
NOBODY = (
    f"No model that a person can read (at most {FEW} weights, or a tree of at most "
    f"{FEW} answers) and that beats the constant answer by more than chance was found "
    "in the time given; a larger budget may find one."
)
_FAILURES = (ArithmeticError, ValueError, InfimumError)
_UNREAD = "There was no time left to fit it on all rows and write it down."


def find_champion(
    problem: Problem,
    standing: Sequence[Standing],
    splits: Sequence[Split],
    criterion: Criterion,
    winning: Vector,
    winner: str,
    decisions: Decisions | None = None,
) -> dict[str, Any] | None:
    """Return the best sparse linear model or small tree, and what it costs.

    `winning` are the errors of the winner on the folds. If it can be read, it is the
    champion. Otherwise the readable settings of the race and those that a finer look at
    the folds finds compete: the simplest that the best of them does not clearly beat is
    taken. Its score is that of this choice: every fold is judged by what the others
    would have chosen. The cost is the average of the differences, with their standard
    error. None means that nothing readable was found.

    How far it looks hangs on the time, so it is found once: the `decisions` know what a
    killed run had found.
    """
    asked = decisions or Decisions()

    def find() -> dict[str, Any]:
        raced = of_the_race(standing)
        own = _winner_itself(problem, raced, criterion, winning, winner, asked.latest)
        if own:
            return own
        able = [each for each in raced if each.rank > 0]
        if splits and asked.deadline > 0:  # nobody waits after Ctrl-C
            end = _end_of_look(asked.deadline, asked.latest)
            able += finer_look(problem, standing, splits, criterion, end)
        constant = next((each.errors for each in raced if each.rank == 0), None)
        return _champion(problem, able, criterion, winning, asked.latest, constant)

    try:
        return asked.once(f"champion-{winner}", find) or None
    except KeyboardInterrupt:
        asked.stopped = True
        return None


def _end_of_look(deadline: float, latest: float) -> float:
    now = time.perf_counter()
    return min(latest, now + max(_LEAST, _LOOK * (deadline - now)))


def _winner_itself(
    problem: Problem,
    raced: Sequence[Candidate],
    criterion: Criterion,
    winning: Vector,
    winner: str,
    latest: float,
) -> dict[str, Any]:
    """Return the winner of the race, if a person can read it; else nothing."""
    own = [
        each
        for each in raced
        if each.name == winner and np.array_equal(each.errors, winning)
    ]
    if not own:
        return {}
    try:
        pipeline = _fitted(problem, own[0], latest)
    except _FAILURES:
        return {}
    if pipeline is not None and _features(own[0], pipeline) > FEW:
        return {}
    found = _described(own[0], own[0].errors, winning, criterion)
    return {**found, "is_winner": True, **_reading(problem, own[0], pipeline, latest)}


def _champion(
    problem: Problem,
    able: Sequence[Candidate],
    criterion: Criterion,
    winning: Vector,
    latest: float,
    constant: Vector | None = None,
) -> dict[str, Any]:
    """Choose until the model of all rows has no more weights than one can read.

    What does not beat the constant answer by more than chance is not offered.
    """
    left = list(able)
    while left:
        chosen = left[_simplest(left)]
        if _is_near_chance(_honest_errors(left, chosen), constant):
            return {}
        try:
            pipeline = _fitted(problem, chosen, latest)
        except _FAILURES:
            pass
        else:
            if pipeline is None or _features(chosen, pipeline) <= FEW:
                found = _described(
                    chosen, _honest_errors(left, chosen), winning, criterion
                )
                return {**found, **_reading(problem, chosen, pipeline, latest)}
        left = [each for each in left if each is not chosen]
    return {}


def _is_near_chance(errors: Vector, constant: Vector | None) -> bool:
    """Whether errors are within a standard error of those of the constant answer."""
    if constant is None:
        return False
    gain = constant[: len(errors)] - errors[: len(constant)]
    return not gain.mean() > standard_error(gain)


def _simplest(able: Sequence[Candidate], folds: Indices | None = None) -> int:
    """Return the simplest that the best one does not clearly beat on some folds."""
    errors = np.array([each.errors for each in able])
    fragile = np.array([each.fragile for each in able])
    if folds is not None:
        errors, fragile = errors[:, folds], fragile[:, folds]
    ranks = np.array([each.rank for each in able])
    sizes = np.array([each.size for each in able])
    order = np.lexsort((ErrorTable(errors).means, sizes, ranks))
    return not_clearly_beaten(errors, order, np.any(fragile, axis=1))


def _honest_errors(able: Sequence[Candidate], chosen: Candidate) -> Vector:
    """Return the error on each fold of what the other folds would choose."""
    every = np.arange(len(chosen.errors))
    if len(every) == 1:
        return chosen.errors
    picked = [able[_simplest(able, every[every != fold])] for fold in every]
    return np.array([each.errors[f] for f, each in enumerate(picked)])


def _described(
    chosen: Candidate, errors: Vector, winning: Vector, criterion: Criterion
) -> dict[str, Any]:
    cost = errors - winning[: len(errors)]
    return {
        "name": chosen.name,
        "label": chosen.label,
        "words": chosen.words,
        "score": criterion.error(float(errors.mean())),
        "spread": standard_error(errors),
        "cost": float(cost.mean()),
        "cost_spread": standard_error(cost),
        "folds": len(errors),
        "weights": chosen.size,
        "size": f"{round(chosen.size)} features",
        "is_winner": False,
    }


def _features(chosen: Candidate, pipeline: Pipeline) -> int:
    # A constant asks about no column, whatever tiny weights its fit has left.
    return features_in_use(pipeline[-1]) if chosen.rank else 0


def _fitted(problem: Problem, chosen: Candidate, latest: float) -> Pipeline | None:
    """Return the model of all rows, None if there is no time for it."""
    left = latest - time.perf_counter()
    if left <= 0:
        return None
    try:
        with time_limit(left), collecting():
            fitted = chosen.fit(problem)
            return None if time_is_up() else fitted
    except TimeUpError:
        return None


def _reading(
    problem: Problem, chosen: Candidate, pipeline: Pipeline | None, latest: float
) -> dict[str, Any]:
    """Return the champion as it was fitted on all rows, or that there was no time."""
    if pipeline is None:
        return {"unread": _UNREAD}
    if chosen.rank == 0:
        return {"weights": 0, "size": "no features"}
    # A generous budget leaves the errors to the rows, not to a busy machine.
    seconds = max(_LEAST, _SHARE * (latest - time.perf_counter()))
    return {
        "weights": features_in_use(pipeline[-1]),
        **written(problem, pipeline, seconds),
    }
