"""The race: every contender along its path, fold by fold, until the time is up."""

import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from sklearn.base import clone

from infimum.errors import DataError, InfimumError
from infimum.evaluation import Split
from infimum.learn.contenders import Contender
from infimum.learn.problem import Problem
from infimum.learn.scoring import Criterion, measure, predict_all
from infimum.models.linear import regularization_path
from infimum.models.warnings import UncertifiedWarning
from infimum.typing import Matrix

__all__ = [
    "Heat",
    "Progress",
    "RaceOutcome",
    "Step",
    "collecting",
    "features_in_use",
    "race",
]

N_VALUES = 20
#: So many contenders run on the first fold even if there is no time: the baseline and
#: one that can learn.
_ALWAYS = 2


class Step(NamedTuple):
    """A message about how far the job is."""

    stage: str
    note: str = ""
    done: int = 0
    total: int = 0


Progress = Callable[[Step], None]


@dataclass
class Heat:
    """The results of one contender so far: a row a fold, a column a setting."""

    contender: Contender
    parameter: str = ""
    values: tuple[float, ...] = ()
    errors: list[list[float]] = field(default_factory=list)
    weights: list[list[int]] = field(default_factory=list)
    metrics: list[list[dict[str, float | None]]] = field(default_factory=list)
    seconds: float = 0.0
    uncertified: int = 0
    failure: str = ""

    @property
    def folds(self) -> int:
        """How many folds are done."""
        return len(self.errors)

    def error_matrix(self, folds: int) -> Matrix:
        """Return the errors on the first `folds` folds."""
        return np.asarray(self.errors[:folds], dtype=float)


class RaceOutcome(NamedTuple):
    """What the race has shown, and why it ended."""

    heats: tuple[Heat, ...]
    ended: str


def race(
    contenders: Sequence[Contender],
    problem: Problem,
    splits: Sequence[Split],
    criterion: Criterion,
    *,
    deadline: float,
    progress: Progress,
) -> RaceOutcome:
    """Let all contenders learn and validate on one fold after the other.

    Going by folds keeps the contenders level: whenever the race is stopped, by the
    deadline or by Ctrl-C, they can be compared on the folds that all of them finished.
    """
    heats = tuple(Heat(contender) for contender in contenders)
    total = len(splits) * len(heats)
    done = 0
    try:
        for fold, split in enumerate(splits):
            ground = _prepare(problem, split)
            for place, heat in enumerate(heats):
                spared = fold == 0 and place < _ALWAYS
                if time.perf_counter() > deadline and not spared:
                    return RaceOutcome(heats, "budget")
                note = f"{heat.contender.label}, fold {fold + 1} of {len(splits)}"
                progress(Step("race", note, done, total))
                _run(heat, ground, problem, criterion)
                done += 1
    except KeyboardInterrupt:
        if not any(heat.folds for heat in heats):
            raise
        return RaceOutcome(heats, "interrupted")
    if not any(heat.folds for heat in heats):
        raise DataError(f"No model could learn from this table: {heats[0].failure}")
    return RaceOutcome(heats, "finished")


class _Ground(NamedTuple):
    """One fold, encoded by what its training rows teach."""

    X: Any
    y: Any
    held_rows: Any
    held_targets: Any


def _prepare(problem: Problem, split: Split) -> _Ground:
    encoder = clone(problem.encoder)
    X = encoder.fit_transform(problem.rows[split.train])
    held_X = encoder.transform(problem.rows[split.held_back])
    return _Ground(X, problem.y[split.train], held_X, problem.y[split.held_back])


def _run(heat: Heat, ground: _Ground, problem: Problem, criterion: Criterion) -> None:
    if heat.failure:
        return
    began = time.perf_counter()
    try:
        with collecting():
            models = _models(heat, ground)
    except (ArithmeticError, ValueError, InfimumError) as error:
        heat.failure = str(error)
        return
    rows = [
        measure(
            ground.held_targets,
            predict_all(m, ground.held_rows, problem.classes),
            problem.classes,
        )
        for m in models
    ]
    # One assignment after the other, with nothing slow in between: an interruption
    # does not leave a fold half recorded.
    errors = [criterion.error(_known(row[criterion.metric])) for row in rows]
    weights = [features_in_use(model) for model in models]
    heat.metrics.append(rows)
    heat.weights.append(weights)
    heat.errors.append(errors)
    heat.uncertified += sum(not model.certificate_.closed for model in models)
    heat.seconds += time.perf_counter() - began


def _models(heat: Heat, ground: _Ground) -> list[Any]:
    estimator = heat.contender.make()
    if heat.contender.fixed:
        heat.parameter, heat.values = _fixed_setting(estimator)
        return [estimator.fit(ground.X, ground.y)]
    path = regularization_path(
        estimator,
        ground.X,
        ground.y,
        values=heat.values or None,
        n_values=N_VALUES,
        eps=heat.contender.depth,
    )
    heat.parameter = path.parameter
    heat.values = tuple(float(value) for value in path.values)
    return list(path.models)


def _fixed_setting(estimator: Any) -> tuple[str, tuple[float, ...]]:
    parameters = estimator.get_params()
    name = "C" if "C" in parameters else "alpha"
    return name, (float(parameters[name]),)


def features_in_use(model: Any) -> int:
    """Count the features with a weight that is not zero in some score."""
    return int(np.count_nonzero(np.any(np.atleast_2d(model.coef_) != 0, axis=0)))


def _known(value: float | None) -> float:
    return float("nan") if value is None else value


@contextmanager
def collecting() -> Iterator[list[str]]:
    """Collect the messages of fits that end without proof; pass other warnings on."""
    messages: list[str] = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield messages
    for each in caught:
        if issubclass(each.category, UncertifiedWarning):
            messages.append(str(each.message))
        else:
            warnings.warn_explicit(
                each.message, each.category, each.filename, each.lineno
            )
