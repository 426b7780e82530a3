"""One label of several, as a model and a case of its own."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from infimum.learn.evidence.case import Case
from infimum.typing import Matrix

__all__ = ["OneLabel", "one_by_one"]


class OneLabel:
    """A model of several labels that is asked about one of them only.

    Its classes are 0 and 1: whether the label is absent or present.
    """

    def __init__(self, model: Any, place: int) -> None:
        self.model, self.place = model, place
        self.classes_ = np.array([0, 1])

    def predict(self, X: Any) -> NDArray[Any]:
        """Return 1 where the label is said to be present."""
        return np.asarray(np.asarray(self.model.predict(X))[:, self.place])

    def predict_proba(self, X: Any) -> Matrix:
        """Return how likely the label is absent and present."""
        present = np.asarray(self.model.predict_proba(X), dtype=float)[:, self.place]
        return np.column_stack([1 - present, present])


def one_by_one(case: Case) -> Iterator[tuple[str, Case]]:
    """Return a case for each label of a case with several; itself if it has one."""
    if case.y.ndim == 1:
        yield case.training.target, case
        return
    for place, name in enumerate(case.classes.tolist()):
        yield (
            str(name),
            replace(
                case,
                model=OneLabel(case.model, place),
                y=case.y[:, place],
                classes=np.array([0, 1]),
                expected_error=None,
            ),
        )
