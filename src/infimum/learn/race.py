"""The race: every contender along its path, ever finer while there is time."""

import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import product
from typing import Any, NamedTuple

import numpy as np
from sklearn.base import clone

from infimum.errors import DataError, InfimumError
from infimum.evaluation import Split
from infimum.learn.contenders import Contender
from infimum.learn.interruption import StopJob
from infimum.learn.problem import Problem
from infimum.learn.scoring import Criterion, measure, predict_all
from infimum.models.linear import regularization_path
from infimum.models.warnings import UncertifiedWarning

__all__ = [
    "Heat",
    "Lap",
    "Progress",
    "RaceOutcome",
    "Step",
    "collecting",
    "features_in_use",
    "race",
]

#: Strengths in the first lap, and laps: 5, 9, then 17 strengths.
COARSE, LAPS = 5, 3
#: So many contenders run on the first fold even if there is no time: the baseline and
#: one that can learn.
_ALWAYS = 2
#: Entries of a matrix from which on a fit is not a matter of milliseconds.
_LARGE = 1_000_000


class Step(NamedTuple):
    """A message about how far the job is."""

    stage: str
    note: str = ""
    done: int = 0
    total: int = 0


Progress = Callable[[Step], None]


@dataclass
class Lap:
    """Results of one contender at some strengths: a row a fold, a column a strength."""

    values: tuple[float, ...]
    errors: list[list[float]] = field(default_factory=list)
    weights: list[list[int]] = field(default_factory=list)
    metrics: list[list[dict[str, float | None]]] = field(default_factory=list)

    @property
    def folds(self) -> int:
        """How many folds are done."""
        return len(self.errors)


@dataclass
class Heat:
    """The results of one contender so far, lap by lap."""

    contender: Contender
    parameter: str = ""
    laps: list[Lap] = field(default_factory=list)
    seconds: float = 0.0
    last: float = 0.0
    fits: int = 0
    uncertified: int = 0
    failure: str = ""

    @property
    def folds(self) -> int:
        """How many folds of the first lap are done."""
        return self.laps[0].folds if self.laps else 0

    def strengths(self, level: int) -> tuple[float, ...] | None:
        """Return the strengths of a lap: halfway between those of the laps before."""
        if level < len(self.laps):
            return self.laps[level].values
        known = np.sort([value for lap in self.laps for value in lap.values])
        return tuple(np.sqrt(known[1:] * known[:-1]).tolist()) or None


class _TimeUpError(Exception):
    """The deadline passed within a lap."""


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
    """Let all contenders learn and validate, from coarse to fine.

    The first lap tries a few strengths on every fold, each further lap those halfway
    between. Within a lap the contenders take turns fold by fold. So they stay level:
    whenever the race is stopped, by the deadline or by Ctrl-C, all can be compared.
    """
    heats = tuple(Heat(contender) for contender in contenders)
    try:
        ended = _run_laps(heats, problem, splits, criterion, deadline, progress)
    except (KeyboardInterrupt, StopJob):
        if not any(heat.folds for heat in heats):
            raise
        ended = "interrupted"
    if not any(heat.folds for heat in heats):
        raise DataError(f"No model could learn from this table: {heats[0].failure}")
    return RaceOutcome(heats, ended)


def _run_laps(
    heats: Sequence[Heat],
    problem: Problem,
    splits: Sequence[Split],
    criterion: Criterion,
    deadline: float,
    progress: Progress,
) -> str:
    total = LAPS * len(splits) * len(heats)
    for level, (fold, split) in product(range(LAPS), enumerate(splits)):
        ground = _prepare(problem, split)
        for place, heat in enumerate(heats):
            if heat.failure or (heat.contender.fixed and level > 0):
                continue
            spared = level == fold == 0 and place < _ALWAYS
            limit = np.inf if spared else deadline
            if time.perf_counter() + heat.last > limit:
                return "budget"
            done = (level * len(splits) + fold) * len(heats) + place
            note = f"{heat.contender.label}, lap {level + 1}, fold {fold + 1}"
            progress(Step("race", note, done, total))
            try:
                _run(heat, level, ground, problem, criterion, limit)
            except _TimeUpError:
                return "budget"
    return "finished"


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


def _run(
    heat: Heat,
    level: int,
    ground: _Ground,
    problem: Problem,
    criterion: Criterion,
    deadline: float,
) -> None:
    began = time.perf_counter()
    try:
        with collecting():
            values, models = _models(heat, level, ground, deadline)
    except (ArithmeticError, ValueError, InfimumError) as error:
        heat.failure = str(error)
        return
    said = [predict_all(model, ground.held_rows, problem.classes) for model in models]
    rows = [measure(ground.held_targets, each, problem.classes) for each in said]
    errors = [criterion.error(_known(row[criterion.metric])) for row in rows]
    weights = [features_in_use(model) for model in models]
    # Nothing slow from here on: an interruption leaves no fold half recorded.
    if level == len(heat.laps):
        heat.laps.append(Lap(values))
    lap = heat.laps[level]
    lap.metrics.append(rows)
    lap.weights.append(weights)
    lap.errors.append(errors)
    heat.fits += len(models)
    heat.uncertified += sum(not model.certificate_.closed for model in models)
    heat.last = time.perf_counter() - began
    heat.seconds += heat.last


def _models(
    heat: Heat, level: int, ground: _Ground, deadline: float
) -> tuple[tuple[float, ...], list[Any]]:
    estimator = heat.contender.make()
    if heat.contender.fixed:
        heat.parameter, value = _fixed_setting(estimator)
        return (value,), [estimator.fit(ground.X, ground.y)]
    heat.parameter = "C" if "C" in estimator.get_params() else "alpha"
    values = heat.strengths(level) or _first_strengths(heat, ground)
    # One path warm-starts from strength to strength; where a single fit can take
    # seconds, looking at the clock in between is worth more.
    large = np.prod(ground.X.shape) > _LARGE
    models: list[Any] = []
    for piece in [[value] for value in values] if large else [values]:
        if time.perf_counter() > deadline:
            raise _TimeUpError
        path = regularization_path(
            heat.contender.make(), ground.X, ground.y, values=piece
        )
        models += path.models
    return values, models


def _first_strengths(heat: Heat, ground: _Ground) -> tuple[float, ...]:
    """Return the strengths of the first lap, down from where all weights vanish."""
    top = regularization_path(
        heat.contender.make(),
        ground.X,
        ground.y,
        n_values=1,
        eps=heat.contender.depth,
    ).values[0]
    shares = np.geomspace(1.0, heat.contender.depth, COARSE)
    return tuple((top / shares if heat.parameter == "C" else top * shares).tolist())


def _fixed_setting(estimator: Any) -> tuple[str, float]:
    parameters = estimator.get_params()
    name = "C" if "C" in parameters else "alpha"
    return name, float(parameters[name])


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
