"""Passes of dual coordinate ascent over many sparse rows."""

from __future__ import annotations

import numpy as np

from infimum.data.designs import SparseDesign
from infimum.losses import Hinge, Loss
from infimum.objectives import LinearRisk
from infimum.typing import Indices, Vector

__all__ = ["SparsePasses"]

#: Gaps that are no goal for single precision.
FINE = 1e-4
#: Looks at w during a pass, of which the mean is taken.
LOOKS = 4


class SparsePasses:
    """Passes over rows of which each reads little of a long w, at random places.

    While no more than a few digits are asked for, entries and w are read in single
    precision: of w twice as much stays at hand. Slopes are double, and so is every
    proof, which depends on them alone.
    """

    def __init__(
        self,
        risk: LinearRisk,
        rows: SparseDesign,
        y: Vector,
        steps: Vector,
        tolerance: float,
    ) -> None:
        # Late: they load numba.
        from infimum.compiled.callbacks import compile_prox
        from infimum.compiled.rows import rows_of

        assert isinstance(risk.loss, Loss)
        prox = type(risk.loss).prox_formula
        assert prox is not None
        kind = np.float32 if tolerance >= FINE else np.float64
        self.rows = rows_of(rows.by_row, kind)
        self.samples = y, risk.weights, steps
        hinge = isinstance(risk.loss, Hinge)
        self.formula = compile_prox(prox), risk.loss.parameters, hinge
        self.own: Vector = np.empty(rows.shape[1], dtype=kind)
        #: The mean of w during the last pass, in which what swings is evened out.
        self.mean: Vector = np.zeros(rows.shape[1])

    def __call__(
        self,
        order: Indices,
        slopes: Vector,
        idle: Indices,
        w: Vector,
        intercept: float,
        pace: tuple[float, float, int],
    ) -> float:
        """Visit the rows in `order`, with w kept in step; return the intercept."""
        from infimum.compiled.descent.dual_coordinate_ascent import ascend  # late

        own, self.mean = self.own, np.zeros(len(w))
        own[:] = w
        for look in range(LOOKS):
            some = order[look * len(order) // LOOKS : (look + 1) * len(order) // LOOKS]
            moved = (slopes, idle, own), intercept, pace
            intercept = ascend(self.rows, self.samples, some, *moved, *self.formula)
            self.mean += own
        self.mean /= LOOKS
        w[:] = own
        return intercept
