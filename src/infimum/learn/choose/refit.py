"""The chosen model on all training rows, and whether it is what the race has promised.

Only training rows are looked at. They flatter a model; one that is worse on them than
on the rows held back in the race has gone wrong on the way. Where the race had time for
some folds only, the others are still to be asked.
"""

import math
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import FunctionTransformer, LabelEncoder

from infimum.certificates import Certificate
from infimum.errors import InfimumError
from infimum.evaluation import Split
from infimum.evaluation.scoring import Criterion, measure, predict_all
from infimum.learn.choose.blending import Blend
from infimum.learn.choose.rule import Standing
from infimum.learn.clock import TimeUpError
from infimum.learn.folds import collecting, fit_one, made
from infimum.learn.journal import Decisions
from infimum.learn.problem import Problem
from infimum.learn.result import Choice, Coefficient, Proof
from infimum.limits import time_is_up, time_limit
from infimum.models.ensembles import VotingClassifier, VotingRegressor
from infimum.models.linear import regularization_path
from infimum.typing import Vector

__all__ = [
    "Promise",
    "Refit",
    "disappointment",
    "feature_names",
    "fitted",
    "is_open",
    "is_proved",
    "plain_proof",
    "promise_of",
    "proof_of",
    "refit",
    "refit_blend",
    "unsteadiness",
]


_MOST_FEATURES = 60


class Refit(NamedTuple):
    """The final pipeline, its weights along the path and warnings on the way."""

    pipeline: Pipeline
    coefficients: tuple[Coefficient, ...]
    warnings: tuple[str, ...]


def fitted(problem: Problem, standing: Standing, value: float) -> Pipeline:
    """Fit encoder and model at a setting on all rows, from a cold start."""
    tally = standing.tally
    encoder, X = problem.encoded(tally.contender.view)
    model = made(tally.contender, tally.parameter, value, encoder)
    fit_one(model, X, problem.y, problem.weights)
    return Pipeline([("encoder", encoder), ("model", model)])


def refit(
    problem: Problem,
    standing: Standing,
    choice: Choice,
    *,
    decisions: Decisions | None = None,
    latest: float = math.inf,
) -> Refit:
    """Fit encoder and chosen model on all training rows, from a cold start.

    The weights along the path are for the report; without time they are left out. A
    fit that is not done at the `latest` moment is stopped with TimeUpError.
    """
    asked, name = decisions or Decisions(), standing.tally.contender.name
    with collecting() as open_gaps:
        pipeline = asked.in_time(
            f"fit-{name}", lambda: fitted(problem, standing, choice.value), latest
        )
        if pipeline is None:
            raise TimeUpError
        path = asked.in_time(
            f"path-{name}",
            lambda: _path(pipeline, problem, standing),
            asked.deadline,
            expected=standing.tally.seconds / max(standing.folds, 1),
        )
    # A constant asks about no column, whatever tiny weights its fit has left.
    constant = standing.tally.contender.fixed
    coefficients = () if constant else _coefficients(pipeline, path)
    return Refit(pipeline, coefficients, tuple(dict.fromkeys(open_gaps)))


def refit_blend(problem: Problem, standing: Sequence[Standing], blend: Blend) -> Refit:
    """Fit every member of a blend on all training rows; they answer together."""
    with collecting() as open_gaps:
        members = [
            (standing[i].tally.contender.name, fitted(problem, standing[i], value))
            for i, value in ((i, standing[i].values[j]) for i, j in blend.members)
        ]
    shares = list(blend.shares)
    voters: Any
    if len(problem.classes):
        voters = VotingClassifier(members, voting="soft", weights=shares)
        voters.multilabel_ = problem.y.ndim > 1
        if voters.multilabel_:
            voters.classes_ = np.arange(problem.y.shape[1])
        else:
            voters.le_ = LabelEncoder().fit(problem.y)
            voters.classes_ = voters.le_.classes_
    else:
        voters = VotingRegressor(members, weights=shares)
    # Every member has its own encoder, so the rows come as they are.
    voters.estimators_ = [member for _, member in members]
    voters.n_features_in_ = max(member[-1].n_features_in_ for _, member in members)
    steps = [("encoder", FunctionTransformer().fit(problem.rows)), ("model", voters)]
    return Refit(Pipeline(steps), (), tuple(dict.fromkeys(open_gaps)))


def plain_proof(model: Any) -> Proof | None:
    """Return the certificate of a model as plain numbers, None if it has none."""
    return proof_of(getattr(model, "certificate_", None))


def proof_of(certificate: Certificate | None) -> Proof | None:
    """Return a certificate as plain numbers."""
    if certificate is None:
        return None
    return Proof(
        primal=float(certificate.primal),
        dual=float(certificate.dual),
        gap=float(certificate.gap),
        relative_gap=float(certificate.relative_gap),
        tolerance=float(certificate.tolerance),
        closed=bool(certificate.closed),
        reason=str(certificate.reason),
    )


def _path(pipeline: Pipeline, problem: Problem, standing: Standing) -> Any:
    """Return the weights of the path's models on all training rows, one row each."""
    if standing.tally.contender.fixed or standing.tally.contender.grid:
        return None
    path = regularization_path(
        standing.tally.contender.make(),
        pipeline[:-1].transform(problem.rows),
        problem.y,
        values=standing.values,
        sample_weight=problem.weights,
    )
    return np.array([_weights(model) for model in path.models])


def _weights(model: Any) -> Any:
    return np.atleast_2d(np.asarray(model.coef_, dtype=float))


def _coefficients(pipeline: Pipeline, path: Any) -> tuple[Coefficient, ...]:
    if not hasattr(pipeline[-1], "coef_"):
        return ()
    names = feature_names(pipeline)
    weights = _weights(pipeline[-1])
    size = np.abs(weights).max(axis=0)
    largest = [i for i in np.argsort(-size, kind="stable") if size[i] > 0]
    # Of several scores a feature has, the path shows the one it matters to most.
    leading = np.abs(weights).argmax(axis=0)
    return tuple(
        Coefficient(
            feature=str(names[place]),
            values=tuple(weights[:, place].tolist()),
            path=() if path is None else tuple(path[:, leading[place], place].tolist()),
        )
        for place in largest[:_MOST_FEATURES]
    )


def feature_names(pipeline: Pipeline) -> list[str]:
    """Return the names of the columns that the model of a pipeline sees."""
    encoder = pipeline[0]
    if hasattr(encoder, "columns_"):
        return [str(name) for name in encoder.get_feature_names_out()]
    return [f"feature {place}" for place in range(encoder.n_features_in_)]


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
        answer = asked.once(
            f"further-{promise.name}-fold{fold}",
            partial(_further, problem, promise, split, criterion, asked.deadline),
        )
        if answer == _NO_TIME:
            break
        if answer == _NO_FIT:
            return "it cannot be fitted on folds for which the race had no time"
        further.append(float(answer))
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
    answer = value[criterion.metric]
    return float("nan") if answer is None else criterion.error(answer)
