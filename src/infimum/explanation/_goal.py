"""Goals of a counterfactual: which answers are wanted, and how near one is."""

from typing import Any

import numpy as np

from infimum.errors import DataError
from infimum.explanation._mosaic import Mosaic
from infimum.explanation._response import Response, respond_to
from infimum.typing import Indices, Mask, Vector

__all__ = ["Goal"]


class Goal:
    """The answers that count as reached, and a number that grows on the way there."""

    def __init__(self, model: Any, table: Mosaic, row: int, wanted: Any) -> None:
        self.model, self.table = model, table
        self.interval: tuple[float, float] | None = None
        self.before = np.asarray(model.predict(table.rows([row])))[0]
        self.wanted = wanted
        if hasattr(model, "classes_"):
            self.near = Response(model, target=self._aim())
        else:
            self.interval = _interval(wanted)
            self.near = Response(model)

    def judge(self, sources: Indices) -> tuple[Mask, Vector]:
        """Return which pieced rows reach the goal, and how near each one is."""
        if self.interval is not None:
            low, high = self.interval
            said = respond_to(self.near, self.table, sources)
            return (low <= said) & (said <= high), -np.maximum(low - said, said - high)
        near = respond_to(self.near, self.table, sources)
        decided = respond_to(self._reached, self.table, sources)
        return decided > 0, near if self.wanted is not None else -near

    def answer(self, sources: Indices) -> Any:
        """Return what the model says about one pieced row."""
        return np.asarray(self.model.predict(self.table.pieced(sources[None])))[0]

    def _aim(self) -> Any:
        if self.wanted is None:
            return self.before
        known = np.asarray(self.model.classes_).tolist()
        if self.wanted not in known:
            raise DataError(
                f"counterfactual's wanted must be one of {known}, got {self.wanted!r}."
            )
        return self.wanted

    def _reached(self, X: Any) -> Vector:
        said = np.asarray(self.model.predict(X))
        met = said != self.before if self.wanted is None else said == self.wanted
        return np.asarray(met, dtype=np.float64)


def _interval(wanted: Any) -> tuple[float, float]:
    try:
        low, high = (float(end) for end in wanted)
    except (TypeError, ValueError):
        raise DataError(
            "counterfactual needs wanted=(low, high) for a model of numbers, "
            f"got {wanted!r}."
        ) from None
    return low, high
