"""The memory of a learner on a stream: weights and counters between two rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from infimum.errors import DataError
from infimum.typing import Matrix, Vector

__all__ = ["Memory"]

#: Slots of the state, as in `infimum.compiled.descent.online_gradient`, and two more:
#: mistakes made, and loss incurred, at the scores found before learning.
TIME, SCALE, LAG, INTERCEPT, INTERCEPTS, TERMS, PULL, MISTAKES, INCURRED = range(9)
SLOTS = 9


@dataclass
class Memory:
    """The state of several scores learnt side by side, one row each."""

    stored: Matrix
    total: Matrix
    debts: Matrix
    state: Matrix

    @classmethod
    def blank(cls, shape: tuple[int, int], *, mean: bool, lasso: bool) -> Memory:
        """Return the memory of a learner that has seen nothing."""
        rows, features = shape
        state = np.zeros((rows, SLOTS))
        state[:, SCALE] = 1.0
        return cls(
            np.zeros(shape),
            np.zeros((rows, features if mean else 0)),
            np.zeros((rows, features if lasso else 0)),
            state,
        )

    @classmethod
    def of(
        cls, kept: dict[str, Any], shape: tuple[int, int], *, mean: bool, lasso: bool
    ) -> Memory:
        """Return a copy of what an estimator keeps: a failed step must not spoil it.

        The loops trust these shapes, so what came from a file is measured here.
        """
        blank = cls.blank(shape, mean=mean, lasso=lasso)
        for name, place in blank.kept().items():
            given = np.asarray(kept.get(name), dtype=np.float64)
            if given.shape == place.shape:
                place[...] = given
            elif name in {"stored", "state"}:
                raise DataError(
                    f"The learner's memory of {name!r} has the shape {given.shape}, "
                    f"its rows need {place.shape}."
                )
        if blank.total.shape != np.asarray(kept.get("total")).shape:
            blank.state[:, [INTERCEPTS, TERMS]] = 0.0  # averaging begins now
        return blank

    @classmethod
    def copied(cls, kept: dict[str, Any]) -> Memory:
        """Return a copy as it is; `suits` says whether it can be used."""
        names = "stored", "total", "debts", "state"
        return cls(*[np.array(kept.get(name)) for name in names])

    def suits(self, shape: tuple[int, int], *, mean: bool, lasso: bool) -> bool:
        """Return whether all arrays are what a learner of that shape remembers."""
        rows, features = shape
        return (
            self.stored.shape == shape
            and self.total.shape == (rows, features if mean else 0)
            and self.debts.shape == (rows, features if lasso else 0)
            and self.state.shape == (rows, SLOTS)
            and all(part.dtype == np.float64 for part in self.kept().values())
        )

    def kept(self) -> dict[str, Any]:
        """Return the arrays by name, which is what an estimator keeps."""
        return {
            "stored": self.stored,
            "total": self.total,
            "debts": self.debts,
            "state": self.state,
        }

    def settle(self) -> None:
        """Write scales and lazy sums out."""
        scale, lag = self.state[:, [SCALE]], self.state[:, [LAG]]
        if self.total.size:
            self.total += lag * self.stored
        self.stored *= scale
        self.state[:, SCALE], self.state[:, LAG] = 1.0, 0.0

    def weights(self) -> tuple[Matrix, Vector]:
        """Return the present weights and intercepts."""
        return self.stored, self.state[:, INTERCEPT]

    def means(self) -> tuple[Matrix, Vector]:
        """Return the averaged weights and intercepts; the present ones before any."""
        terms = self.state[:, TERMS]
        if not self.total.size or not terms.all():
            return self.weights()
        return self.total / terms[:, None], self.state[:, INTERCEPTS] / terms
