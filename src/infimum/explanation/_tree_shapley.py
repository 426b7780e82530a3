"""The door to exact Shapley values of trees, for the models the tree room explains."""

from typing import Any

import numpy as np

from infimum.errors import IncompatibleError
from infimum.explanation._encoding import encoded, last_step, scale_of, summed
from infimum.explanation.attribution import Attribution
from infimum.typing import Matrix, Vector

__all__ = ["tree_attribution"]

_ROOMS = ("infimum.models.trees.", "infimum.models.ensembles.")
_BY_CLASS = 3


def tree_attribution(
    model: Any, X: Any, background: Any = None, *, target: Any = None
) -> Attribution | None:
    """Return the attribution of a model made of trees; None if it is none.

    The values of a column are the sums over the features that an encoder makes of it.
    """
    last = last_step(model)
    if not f"{type(last).__module__}.".startswith(_ROOMS) or _is_vote(last):
        return None
    from infimum.models.trees.shapley_values import shapley_values

    rows, names, owners = encoded(model, X)
    others = None if background is None else encoded(model, background)[0]
    try:
        told = shapley_values(last, rows, others)
    except IncompatibleError:
        return None
    parts, base = _of_target(told, getattr(last, "classes_", None), target)
    values = summed(parts, owners, len(names))
    answers = base + values.sum(axis=1)
    return Attribution(
        names=names,
        base=base,
        values=values,
        errors=np.zeros_like(values),
        answers=answers,
        response=_response(last, told, rows, answers),
        method="tree",
    )


def _is_vote(model: Any) -> bool:
    """Whether members of any kind answer together, each with its own encoder."""
    return any(hasattr(each, "steps") for each in getattr(model, "estimators_", ()))


def _of_target(told: Any, classes: Any, target: Any) -> tuple[Matrix, float]:
    """Return the values and the expectation of one output."""
    label = None if classes is None else classes[-1] if target is None else target
    if told.values.ndim == _BY_CLASS:
        place = int(np.flatnonzero(np.asarray(classes) == label)[0])
        return told.values[:, :, place], float(told.expectation[place])
    sign = -1.0 if classes is not None and label == classes[0] else 1.0
    return sign * told.values, sign * float(told.expectation[0])


def _response(model: Any, told: Any, rows: Any, answers: Vector) -> str:
    if not hasattr(model, "classes_"):
        return scale_of(np.asarray(model.predict(rows), dtype=np.float64), answers)
    total = float(np.sum(told.expectation))
    by_class = len(told.expectation) == len(model.classes_)
    return "probability" if by_class and abs(total - 1) < 1e-6 else "score"
