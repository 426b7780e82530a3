"""One contender on one fold: fitted at its settings, judged by the rows held back."""

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
from infimum.learn.compare.sample import forecast
from infimum.learn.compare.tally import FoldResult
from infimum.learn.encoded_fold import (
    EncodedFold,
    collecting,
    features_in_use,
    models_at,
)

__all__ = ["LATE", "NOT_SPARSE", "Shown", "Task", "perform"]

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
