"""One contender on one fold: fitted at its settings, judged by the rows held back."""

import time
from collections.abc import Sequence
from typing import Any

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
from infimum.learn.compare.tally import FoldResult, Tally
from infimum.learn.encoded_fold import (
    EncodedFold,
    collecting,
    features_in_use,
    models_at,
)

__all__ = ["run_fold"]


def run_fold(
    tally: Tally,
    level: int,
    encoded: EncodedFold,
    criterion: Criterion,
    deadline: float,
    *,
    keep: bool,
) -> FoldResult | None:
    """Fit a contender at the settings of a sweep; None if it cannot read the table.

    `keep` asks for the predictions as well.
    """
    contender, classes = tally.contender, encoded.problem.classes
    # Encoding the fold serves all, and is charged to nobody.
    held = encoded.view(contender.view)[2]
    if sparse.issparse(held) and not contender.sparse:
        tally.retired = "not made for sparse tables"
        return None
    began = time.perf_counter()
    try:
        with collecting():
            parameter, values, models = models_at(
                contender,
                tally.settings(level),
                encoded,
                deadline,
                first=level == len(tally.sweeps),
            )
            said = [predict_all(model, held, classes) for model in models]
    except (ArithmeticError, ValueError, InfimumError) as error:
        return FoldResult("", (), [], [], [], failure=str(error))
    return FoldResult(
        parameter=parameter,
        values=values,
        # A constant asks about no column, whatever tiny weights its fit has left.
        weights=[0 if contender.fixed else features_in_use(m) for m in models],
        **_judged(said, encoded, criterion),
        fits=len(models),
        uncertified=sum(_is_open(model) for model in models),
        said=_kept(said, classify=len(classes) > 0) if keep else None,
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
