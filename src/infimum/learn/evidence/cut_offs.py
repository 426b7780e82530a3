"""What would have been promised at earlier moments, and what came of it."""

from typing import Any

import numpy as np

from infimum.evaluation import clopper_pearson, conformal_rank
from infimum.learn.evidence.case import CONFIDENCE, Case
from infimum.typing import Vector

__all__ = ["cutoffs"]

_LEVEL, _FEWEST = 0.9, 2
_UNKNOWN = (
    "The answers about the rows held back were not kept stretch by stretch, so nothing "
    "is known of earlier moments."
)


def cutoffs(case: Case, found: dict[str, Any]) -> dict[str, Any]:
    """Set a limit by the rows of one stretch of time, and use it on the next one.

    The models of the folds have learned from rows before each stretch alone. Where the
    world drifts, what held on one stretch need not hold on the next: that is what no
    bound from the test rows covers.
    """
    if len(case.held_back) < _FEWEST:
        return {"reason": _UNKNOWN}
    kind = "sets" if case.classifies else "intervals"
    strange = [_strangeness(each.truth, each.said, case) for each in case.held_back]
    rows = []
    for place in range(1, len(strange)):
        limit = _limit(strange[place - 1])
        held, rows_there = int(np.sum(strange[place] <= limit)), len(strange[place])
        sure = clopper_pearson(held, rows_there, CONFIDENCE)
        after = case.held_back[place].after
        rows.append(
            {"after": after, "rows": rows_there, "limit": limit, **sure._asdict()}
        )
    shares = [row["estimate"] for row in rows]
    return {
        "kind": kind,
        "promised": _LEVEL,
        "rows": rows,
        "least": min(shares),
        "most": max(shares),
    }


def _strangeness(truth: Any, said: Any, case: Case) -> Vector:
    """Return how far each answer was off: its error, or how improbable the truth was.

    A class that a model had not met in its past was impossible for it.
    """
    if not case.classifies:
        return np.asarray(np.abs(truth - said[:, 0]), dtype=float)
    codes = np.searchsorted(case.classes, truth)
    return np.asarray(1 - said[np.arange(len(codes)), codes], dtype=float)


def _limit(strange: Vector) -> float:
    """Return the limit that a new row keeps with the level promised."""
    rank = min(conformal_rank(len(strange), _LEVEL), len(strange))
    return float(np.sort(strange)[rank - 1])
