"""One contender on one fold: fitted at its settings, judged by the rows held back."""

import time
from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy import sparse

from infimum.errors import InfimumError
from infimum.learn.ground import Ground, collecting, features_in_use, models_at
from infimum.learn.heat import FoldResult, Heat
from infimum.learn.leads import leads_of
from infimum.learn.scoring import (
    Criterion,
    Predictions,
    count_wild,
    measure,
    predict_all,
)

__all__ = ["run_fold"]


def run_fold(
    heat: Heat,
    level: int,
    ground: Ground,
    criterion: Criterion,
    deadline: float,
    *,
    keep: bool,
) -> FoldResult | None:
    """Fit a contender at the settings of a lap; None if it cannot read the table.

    `keep` asks for the predictions as well.
    """
    contender, classes = heat.contender, ground.problem.classes
    # Encoding the fold serves all, and is charged to nobody.
    held = ground.view(contender.view)[2]
    if sparse.issparse(held) and not contender.sparse:
        heat.retired = "not made for sparse tables"
        return None
    began = time.perf_counter()
    try:
        with collecting():
            parameter, values, models = models_at(
                contender,
                heat.settings(level),
                ground,
                deadline,
                first=level == len(heat.laps),
            )
            said = [predict_all(model, held, classes) for model in models]
    except (ArithmeticError, ValueError, InfimumError) as error:
        return FoldResult("", (), [], [], [], failure=str(error))
    return FoldResult(
        parameter=parameter,
        values=values,
        # A constant asks about no column, whatever tiny weights its fit has left.
        weights=[0 if contender.fixed else features_in_use(m) for m in models],
        **_judged(said, ground, criterion),
        fits=len(models),
        uncertified=sum(_is_open(model) for model in models),
        said=_kept(said, classify=len(classes) > 0) if keep else None,
        seconds=time.perf_counter() - began,
    )


def _judged(
    said: Sequence[Predictions], ground: Ground, criterion: Criterion
) -> dict[str, Any]:
    y, weights, classes = (
        ground.held_targets,
        ground.held_weights,
        ground.problem.classes,
    )
    rows = [measure(y, each, classes, criterion, weights) for each in said]
    return {
        "errors": [criterion.error(_known(row[criterion.metric])) for row in rows],
        "metrics": rows,
        "wild": None if len(classes) else count_wild(said, ground.y),
        "leads": leads_of(said, y, ground.y, classes, criterion, weights),
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
