"""A part of the scores that is known beforehand: offsets and exposures."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from infimum.errors import DataError
from infimum.models.linear._base import LinearModel
from infimum.models.linear._problem import LinearProblem
from infimum.typing import Vector

__all__ = ["Given", "KnowsPart", "known_part"]


class Given(NamedTuple):
    """What came along with the samples and targets."""

    sample_weight: Any = None
    offset: Any = None
    exposure: Any = None


class KnowsPart(LinearModel):
    """A part of an estimator: a known number is added to every score.

    Its public methods wrap what came along as `Given` and pass it where weights go.
    """

    def _state(
        self, X: Any, y: Any, sample_weight: Any, *, reset: bool
    ) -> LinearProblem:
        given = (
            sample_weight if isinstance(sample_weight, Given) else Given(sample_weight)
        )
        problem = super()._state(X, y, given.sample_weight, reset=reset)
        count = len(np.asarray(y))
        known = known_part(
            type(self).__name__,
            count,
            given.offset,
            given.exposure,
            columns=getattr(problem.loss, "outputs", 1),
        )
        if known is None:
            return problem
        if given.sample_weight is not None:  # the problem has lost samples of weight 0
            known = known[np.broadcast_to(np.asarray(given.sample_weight) != 0, count)]
        return replace(problem, offset=known.T)


def known_part(
    owner: str, count: int, offset: Any, exposure: Any, *, columns: int = 1
) -> Vector | None:
    """Return the known part of the scores, a row for each sample, or None."""
    if offset is None and exposure is None:
        return None
    shape = (count,) if columns == 1 else (count, columns)
    known = np.zeros(shape)
    for name, given in (("offset", offset), ("exposure", exposure)):
        if given is None:
            continue
        values = np.asarray(given, dtype=np.float64)
        if values.shape != shape or not np.isfinite(values).all():
            wanted = "" if columns == 1 else f" and {columns} classes"
            raise DataError(
                f"{owner} takes one finite {name} for each of the {count} samples"
                f"{wanted}, got an array of shape {values.shape}."
            )
        if name == "exposure" and values.min(initial=1.0) <= 0:
            raise DataError(
                f"{owner} needs exposures above 0, the least is {values.min():g}."
            )
        known += values if name == "offset" else np.log(values)
    return known
