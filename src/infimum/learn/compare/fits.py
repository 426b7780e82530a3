"""One contender on one fold: fitted at its settings, judged by the rows held back.

What a fit on all rows will take is forecast from small parts of them.
"""

import math
import time
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

from infimum.errors import InfimumError
from infimum.evaluation.leads import leads_of
from infimum.evaluation.scoring import (
    Criterion,
    Predictions,
    count_extreme,
    measure,
    predict_all,
)
from infimum.learn.clock import TimeUpError
from infimum.learn.compare.contenders import Contender
from infimum.learn.compare.tally import GRID, FoldResult
from infimum.learn.folds import EncodedFold, collecting, features_in_use, fit_one, made
from infimum.limits import time_is_up, time_limit
from infimum.models.linear import regularization_path
from infimum.solvers.progress import LATE as CUT_SHORT

__all__ = ["LATE", "NOT_SPARSE", "Shown", "Task", "forecast", "models_at", "perform"]


#: Why there is no result.
LATE, NOT_SPARSE = "late", "not made for sparse tables"
#: Fits are told to end so many seconds, or so large a part of their time, too early.
_HEARING, _EARLY = 2.0, 0.1


class Task(NamedTuple):
    """What a contender is to do on a fold, and in how many seconds.

    On the `first` fold of a sweep it may end where it is; it does not begin if it is
    forecast to need more than `foreseen`. `keep` asks for the predictions as well. Who
    is `owed` the seconds has them after the fold was encoded, however late that is.
    """

    contender: Contender
    settings: tuple[float, ...] | None
    fold: int
    seconds: float = math.inf
    first: bool = True
    foreseen: float = math.inf
    keep: bool = False
    owed: bool = False


class Shown(NamedTuple):
    """The result of a task, or why there is none."""

    result: FoldResult | None
    reason: str = ""


def perform(task: Task, encoded: EncodedFold, criterion: Criterion) -> Shown:
    """Fit a contender at the settings of a sweep, as long as there is time."""
    contender = task.contender
    before = time.perf_counter()
    # Encoding the fold serves all, and is charged to nobody.
    X = encoded.view(contender.view)[1]
    if sparse.issparse(X) and not contender.sparse:
        return Shown(None, NOT_SPARSE)
    end = (time.perf_counter() if task.owed else before) + task.seconds
    if task.foreseen < math.inf:
        needed = forecast(contender, task.settings, encoded, end)
        if needed > task.foreseen:
            return Shown(None, LATE)
    early = end - min(_HEARING, _EARLY * max(task.seconds, 0.0))
    try:
        return Shown(_result(task, encoded, criterion, early))
    except TimeUpError:
        return Shown(None, LATE)
    except (ArithmeticError, ValueError, InfimumError) as error:
        return Shown(FoldResult("", (), [], [], [], failure=str(error)))


def _result(
    task: Task, encoded: EncodedFold, criterion: Criterion, deadline: float
) -> FoldResult:
    contender, classes = task.contender, encoded.problem.classes
    held = encoded.view(contender.view)[2]
    began = time.perf_counter()
    with collecting():
        parameter, values, models = models_at(
            contender, task.settings, encoded, deadline, first=task.first
        )
        said = [predict_all(model, held, classes) for model in models]
    return FoldResult(
        parameter=parameter,
        values=values,
        # A constant asks about no column, whatever tiny weights its fit has left.
        weights=[0 if contender.fixed else features_in_use(m) for m in models],
        **_judged(said, encoded, criterion),
        fits=len(models),
        uncertified=sum(_is_open(model) for model in models),
        said=_kept(said, classify=len(classes) > 0) if task.keep else None,
        seconds=time.perf_counter() - began,
    )


def _judged(
    said: Sequence[Predictions], encoded: EncodedFold, criterion: Criterion
) -> dict[str, Any]:
    y, weights, classes = (
        encoded.held_targets,
        encoded.held_weights,
        encoded.problem.classes,
    )
    rows = [measure(y, each, classes, criterion, weights) for each in said]
    return {
        "errors": [criterion.error(_known(row[criterion.metric])) for row in rows],
        "metrics": rows,
        "extreme": None if len(classes) else count_extreme(said, encoded.y),
        "leads": leads_of(said, y, encoded.y, classes, criterion, weights),
    }


def _kept(said: Sequence[Predictions], *, classify: bool) -> Any:
    """Return the predictions of all settings, if all are of the kind one can average.

    Half the precision is enough to weigh models, and half the memory.
    """
    tables = [each.probabilities if classify else each.scores for each in said]
    if any(table is None for table in tables):
        return None
    return np.asarray(tables, dtype=np.float32)


def _is_open(model: Any) -> bool:
    proof = getattr(model, "certificate_", None)
    return proof is not None and not proof.closed


def _known(value: float | None) -> float:
    return float("nan") if value is None else value


#: Strengths of a path in the first sweep.
COARSE = 5
#: Seconds that a fit may take even if the time is up.
_LEAST = 0.5
#: Entries of a matrix from which on a fit is not a matter of milliseconds.
_LARGE = 1_000_000
#: The same for entries times classes.
_MANY_SCORES = 8_000_000


def models_at(
    contender: Contender,
    values: tuple[float, ...] | None,
    encoded: EncodedFold,
    deadline: float,
    *,
    first: bool = True,
) -> tuple[str, tuple[float, ...], list[Any]]:
    """Fit a contender at all `values`; find them if it is on its first sweep.

    On the `first` fold of a sweep, whoever runs out of time ends where it is; on the
    others all settings must be tried to be compared.
    """
    encoder, X, _ = encoded.view(contender.view)
    with time_limit(max(deadline - time.perf_counter(), _LEAST)):
        return _models_at(contender, values, encoded, encoder, X, deadline, first=first)


def _models_at(
    contender: Contender,
    values: tuple[float, ...] | None,
    encoded: EncodedFold,
    encoder: Any,
    X: Any,
    deadline: float,
    *,
    first: bool,
) -> tuple[str, tuple[float, ...], list[Any]]:
    if contender.grid:
        places = values or ()
        models = _on_grid(contender, places, encoder, encoded, deadline)
        if len(models) < len(places) and not (first and models):
            raise TimeUpError
        return GRID, places[: len(models)], models
    estimator = contender.make()
    parameter = "C" if "C" in estimator.get_params() else "alpha"
    if contender.fixed:
        fit_one(estimator, X, encoded.y, encoded.weights)
        return parameter, (float(estimator.get_params()[parameter]),), [estimator]
    found = values or _first_strengths(contender, parameter, X, encoded)
    # As a path runs, or the models would be taken for those of other strengths.
    found = tuple(sorted(found, reverse=parameter != "C"))
    fitted = _along_path(contender, found, X, encoded)
    if len(fitted) < len(found) and not (first and fitted):
        raise TimeUpError
    kept = tuple(value for value in found if value in fitted)
    return parameter, kept, [fitted[value] for value in kept]


def _on_grid(
    contender: Contender,
    places: Sequence[float],
    encoder: Any,
    encoded: EncodedFold,
    deadline: float,
) -> list[Any]:
    X = encoded.view(contender.view)[1]
    models: list[Any] = []
    began, last = time.perf_counter(), 0.0
    for same in _by_shape(contender, places):
        # Settings become slower as they become more complex.
        if models and began + last > deadline:
            break
        model = made(contender, GRID, same[-1], encoder)
        fit_one(model, X, encoded.y, encoded.weights)
        stages = _stages_of(contender, model, same)
        if models and (time_is_up() and contender.stages == 1):
            break  # it was cut short: what it would have become is not known
        models += stages
        if len(stages) < len(same):
            break
        began, last = time.perf_counter(), time.perf_counter() - began
    return models


def _by_shape(contender: Contender, places: Sequence[float]) -> list[list[float]]:
    """Return places in groups that one fit shows, with ever more rounds."""
    groups: dict[int, list[float]] = {}
    for place in places:
        groups.setdefault(round(place) // contender.stages, []).append(place)
    return list(groups.values())


def _stages_of(contender: Contender, model: Any, places: list[float]) -> list[Any]:
    """Return the models at the rounds of each place that were made, one at least."""
    if contender.stages == 1:
        return [model]
    found: list[Any] = []
    for place in places:
        rounds = contender.grid[round(place)]["max_iter"]
        if rounds <= model.n_iter_ or not found:
            stage = model._after(rounds)
            found.append(stage.set_params(max_iter=rounds))
    return found


def _along_path(
    contender: Contender, values: Sequence[float], X: Any, encoded: EncodedFold
) -> dict[float, Any]:
    """Return the models of all strengths, or of those that there was time for."""
    # One path warm-starts from strength to strength; where a single fit can take
    # seconds, beginning in the middle and looking at the clock is worth more.
    entries = getattr(X, "nnz", None) or np.prod(X.shape)
    slow = entries > _LARGE or entries * len(encoded.problem.classes) > _MANY_SCORES
    pieces = _from_the_middle(values) if slow else [list(values)]
    found: dict[float, Any] = {}
    for piece in pieces:
        if found and time_is_up():
            break
        path = regularization_path(
            contender.make(), X, encoded.y, values=piece, sample_weight=encoded.weights
        )
        for value, model in zip(piece, path.models, strict=True):
            # What was stopped on the way is no model of its strength; one is owed.
            if found and _cut_short(model):
                break
            found[value] = model
    return found


def _from_the_middle(values: Sequence[float]) -> list[list[float]]:
    """Return strengths one by one, those in the middle of the path first."""
    middle = len(values) // 2
    order = sorted(range(len(values)), key=lambda at: (abs(at - middle), -at))
    return [[values[at]] for at in order]


def _cut_short(model: Any) -> bool:
    proof = getattr(model, "certificate_", None)
    return proof is not None and proof.reason == CUT_SHORT and not proof.closed


def _first_strengths(
    contender: Contender, parameter: str, X: Any, encoded: EncodedFold
) -> tuple[float, ...]:
    """Return the strengths of the first sweep, down from where all weights vanish."""
    top = regularization_path(
        contender.make(),
        X,
        encoded.y,
        n_values=1,
        eps=contender.depth,
        sample_weight=encoded.weights,
    ).values[0]
    shares = np.geomspace(1.0, contender.depth, COARSE)
    return tuple((top / shares if parameter == "C" else top * shares).tolist())


#: Fewer rows than this are learned from faster than forecast.
_FEWEST = 8_000
#: The larger of the two rungs is this part of the rows, the smaller one half of it.
_PART = 16
#: Times grow with a power of the rows between these.
_LEAST_POWER, _MOST_POWER = 1.0, 3.0


class _Rung:
    """A few rows of a fold; looks like the fold to a contender."""

    def __init__(self, encoded: EncodedFold, count: int) -> None:
        self.encoded, self.problem = encoded, encoded.problem
        size = len(encoded.y)
        drawn = np.random.default_rng(0).permutation(size)[:count]
        self.rows = np.sort(drawn)

    @property
    def y(self) -> Any:
        return self.encoded.y[self.rows]

    @property
    def weights(self) -> Any:
        weights = self.encoded.weights
        return None if weights is None else weights[self.rows]

    def view(self, name: str) -> tuple[Any, Any, Any]:
        encoder, X, _ = self.encoded.view(name)
        return encoder, X[self.rows], None


def forecast(
    contender: Contender,
    values: tuple[float, ...] | None,
    encoded: EncodedFold,
    deadline: float,
) -> float:
    """Return the seconds that a sweep on a fold will take; 0 if nobody can tell.

    Two small parts of the rows are learned from, one twice as large as the other; their
    times tell how the time grows.
    """
    size = len(encoded.y)
    if size < _FEWEST:
        return 0.0
    times = []
    for count in (size // (2 * _PART), size // _PART):
        began = time.perf_counter()
        try:
            with collecting():
                rung: Any = _Rung(encoded, count)
                models_at(contender, values, rung, deadline, first=True)
        except (ArithmeticError, ValueError, InfimumError):
            return 0.0
        times.append(time.perf_counter() - began)
    small, large = times
    power = math.log2(max(large, 1e-9) / max(small, 1e-9))
    power = min(max(power, _LEAST_POWER), _MOST_POWER)
    return float(large * (size / (size // _PART)) ** power)
