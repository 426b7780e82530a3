"""A second look at the final model: whether it is what the race has promised.

Only training rows are looked at. They flatter a model; one that is worse on them than
on the rows held back in the race has gone wrong on the way. Where the race had time for
some folds only, the others are still to be asked.
"""

import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from infimum.errors import InfimumError
from infimum.evaluation import Split
from infimum.evaluation.scoring import Criterion, measure, predict_all
from infimum.learn.choose.decisions import Decisions
from infimum.learn.choose.refit import fitted
from infimum.learn.choose.rule import Standing
from infimum.learn.clock import TimeUpError
from infimum.learn.encoded_fold import collecting
from infimum.learn.problem import Problem
from infimum.limits import time_is_up, time_limit
from infimum.typing import Vector

__all__ = [
    "Promise",
    "disappointment",
    "is_open",
    "is_proved",
    "promise_of",
    "unsteadiness",
]

#: Rows that are enough to see it.
_MOST_ROWS = 2_000
#: By how many spreads of the folds the final error may exceed the worst of them.
_SPREADS = 2.0
#: One fold says nothing about the spread; half as much again is clearly worse.
_HALF = 0.5
#: Rows that were held back do not flatter: less of a lead may be lost on them.
_QUARTER = 0.25
#: Why there is no error on a further fold.
_NO_TIME, _NO_FIT = "no time", "no fit"


def disappointment(
    model: Any,
    problem: Problem,
    criterion: Criterion,
    promised: Vector,
    standing: Sequence[Standing] = (),
) -> str:
    """Say what is wrong with a final model; nothing if it keeps what was promised.

    `promised` are the errors of the same setting on the folds.
    """
    if problem.goal == "novelty":  # there the training rows have no target
        return ""
    error = _error_here(model, problem, criterion)
    label = criterion.label
    here = f"{label} {criterion.error(error):.4g} on the rows it was fitted to"
    if not np.isfinite(error):
        return f"it has no {label} on the rows it was fitted to"
    usual = _constant_error(standing)
    if error > usual > float(np.mean(promised)):
        return f"{here} is worse than that of a constant answer"
    if error > _limit(promised, usual):
        return f"{here} is clearly worse than on any rows held back in the race"
    return ""


class Promise(NamedTuple):
    """Errors on the folds of the race, and how to fit the same on other rows.

    `seconds` is about what a fit takes.
    """

    name: str
    errors: Vector
    fit: Callable[[Problem], Any]
    seconds: float


def promise_of(standing: Standing, value: float) -> Promise:
    """Return what a setting of a contender promises."""
    return Promise(
        standing.tally.contender.name,
        standing.errors[standing.values.index(value)],
        lambda rows: fitted(rows, standing, value),
        standing.pace,
    )


def unsteadiness(
    problem: Problem,
    promise: Promise,
    splits: Sequence[Split],
    criterion: Criterion,
    standing: Sequence[Standing] = (),
    *,
    decisions: Decisions | None = None,
) -> str:
    """Say so if a promise fails on folds for which the race had no time.

    Two folds may hold no row that a model answers wildly; it is asked about the others
    as long as there is time, and its average over all of them is what counts.
    """
    asked, promised = decisions or Decisions(), promise.errors
    further: list[float] = []
    for fold, split in enumerate(splits[len(promised) :], len(promised)):
        told = asked.once(
            f"further-{promise.name}-fold{fold}",
            partial(_further, problem, promise, split, criterion, asked.deadline),
        )
        if told == _NO_TIME:
            break
        if told == _NO_FIT:
            return "it cannot be fitted on folds for which the race had no time"
        further.append(float(told))
    every = float(np.mean([*promised, *further]))
    usual = _constant_error(standing)
    if further and not every <= _limit(promised, usual, _QUARTER):
        score = f"{criterion.label} {criterion.error(every):.4g}"
        return f"with folds for which the race had no time it has {score} on average"
    return ""


def _further(
    problem: Problem,
    promise: Promise,
    split: Split,
    criterion: Criterion,
    deadline: float,
) -> float | str:
    """Return the error on one more fold, or why there is none."""
    left = deadline - time.perf_counter()
    if promise.seconds > left:
        return _NO_TIME
    try:
        with time_limit(left), collecting():
            model = promise.fit(problem.only(split.train))
            if time_is_up():
                return _NO_TIME
        rows = problem.only(split.held_back)
        return _error_here(model, rows, criterion, most=len(rows.y))
    except TimeUpError:
        return _NO_TIME
    except (ArithmeticError, ValueError, InfimumError):
        return _NO_FIT


def _limit(promised: Vector, usual: float, share: float = _HALF) -> float:
    """Return the error from which on a model is clearly worse than promised.

    Where the folds were easy by luck, the lead over the constant answer tells more: a
    `share` of it may be lost.
    """
    worst, middle = float(np.max(promised)), float(np.mean(promised))
    spread = float(np.std(promised, ddof=1)) if len(promised) > 1 else _HALF * worst
    lost = 2 * worst if usual <= middle else middle + share * (usual - middle)
    return max(worst + _SPREADS * spread, lost)


def is_open(model: Any) -> bool:
    """Whether a fit that could be proved optimal is not, in one of its parts."""
    return not all(proof.closed for proof in _proofs(model))


def is_proved(model: Any) -> bool:
    """Whether a fit was proved optimal, in all of its parts that can be."""
    return bool(_proofs(model)) and not is_open(model)


def _proofs(model: Any) -> list[Any]:
    last = model[-1] if hasattr(model, "steps") else model
    parts = [last, *(getattr(last, "estimators_", None) or [])]
    ends = [part[-1] if hasattr(part, "steps") else part for part in parts]
    found = [getattr(part, "certificate_", None) for part in ends]
    return [proof for proof in found if proof is not None]


def _constant_error(standing: Sequence[Standing]) -> float:
    """Return the error of the constant answer in the race; 0 if it did not run."""
    constant = [each for each in standing if each.tally.contender.rank == 0]
    return min((float(each.means.min()) for each in constant), default=0.0)


def _error_here(
    model: Any, problem: Problem, criterion: Criterion, *, most: int = _MOST_ROWS
) -> float:
    size = len(problem.y)
    order = np.random.default_rng(0).permutation(size)[:most]
    some = problem.only(np.sort(order))
    said = predict_all(model, some.rows, some.classes)
    value = measure(some.y, said, some.classes, criterion, some.weights)
    told = value[criterion.metric]
    return float("nan") if told is None else criterion.error(told)
