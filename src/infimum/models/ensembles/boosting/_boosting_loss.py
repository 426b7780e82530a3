"""A loss as boosting sees it: where to begin, its slopes, and the best leaf values."""

from __future__ import annotations

from typing import Any

import numpy as np

from infimum.compiled.boosting.boost_grains import logistic_slopes, measure
from infimum.compiled.threads import in_parts
from infimum.errors import IncompatibleError
from infimum.losses import Logistic, Loss, Softmax, VectorLoss
from infimum.models.ensembles.boosting._boosted_tree import GrownTree
from infimum.models.ensembles.boosting._leaf_minimum import leaf_minimum
from infimum.typing import Vector

__all__ = ["BoostingLoss"]

#: Residuals and scores at which a loss shows whether it is curved everywhere.
PROBES = np.array([-5.0, -1.0, -0.1, 0.1, 1.0, 5.0])
REACH = np.array([1e-3, 1e-1, 1e1, 1e3, 1e6])
#: Rows of a part.
PART = 32_768


class BoostingLoss:
    """Derivatives of the total loss in the scores, row by row.

    A loss that is curved everywhere lends its curvature to Newton's steps. One with
    kinks or straight pieces counts every row as curvature 1 while a tree grows; then
    each leaf gets the value that minimises the loss itself.
    """

    def __init__(self, owner: str, loss: Loss | VectorLoss) -> None:
        bounded = isinstance(loss, VectorLoss) and bool(loss.positive_scores)
        if bounded or not (loss.smooth or loss.convex):
            raise IncompatibleError(
                f"{owner} needs a loss that is convex or differentiable at all scores, "
                f"got {type(loss).__name__}."
            )
        self.loss = loss
        self.outputs = loss.outputs if isinstance(loss, VectorLoss) else 1
        self.sizes: Vector = np.zeros((self.outputs, 0, 4))
        self.newton = loss.smooth and (
            isinstance(loss, VectorLoss) or _curved_everywhere(loss)
        )

    def start(self, y: Vector, weights: Vector) -> Vector:
        """Return the best constant scores."""
        if isinstance(self.loss, Loss) and not self.newton:
            flat = np.zeros(len(y))
            return np.array([leaf_minimum(self.loss, y, flat, weights, 0.0)])
        return np.atleast_1d(self.loss.best_constant(y, weights)).astype(np.float64)

    def mean(self, y: Vector, scores: Vector, weights: Vector | None) -> float:
        """Return the mean loss; scores have a line for each output."""
        given: Any = scores.T if isinstance(self.loss, VectorLoss) else scores[0]
        return float(np.average(self.loss.value(y, given), weights=weights))

    def slopes(
        self, y: Vector, scores: Vector, weights: Vector | None, out: Any = None
    ) -> tuple[Vector, Vector]:
        """Return first and second derivatives times weights, a line for each output.

        They are written into `out`, two arrays like the scores, where it is given. How
        large they are is kept in `sizes`, as `measure` tells it of each part.
        """
        slopes, bends = out or (np.empty_like(scores), np.empty_like(scores))
        parts = max(1, -(-len(y) // PART))
        sizes = np.zeros((len(scores), parts, 4))

        def work(rows: slice) -> None:
            some, curved = slopes[:, rows], bends[:, rows]
            self.write(y[rows], scores[:, rows], some, curved)
            if weights is not None:
                some *= weights[rows]
                curved *= weights[rows]
            part = -(-rows.start * parts // len(y))
            for output in range(len(scores)):  # while they are in a core's cache
                measure(some[output], curved[output], sizes[output, part])

        in_parts(len(y), work, parts)
        self.sizes = sizes
        return slopes, bends

    def refine(
        self, tree: GrownTree, values: Vector, rows: tuple[Any, ...], l2: float,
        leaves: Any = None,
    ) -> None:  # fmt: skip
        """Replace the leaves' Newton steps by the minimisers of the loss itself."""
        if self.newton or isinstance(self.loss, VectorLoss):
            return
        y, scores, weights = rows
        low, high = tree.reals[:, 1], tree.reals[:, 2]
        for leaf in tree.leaves if leaves is None else leaves:
            own = tree.rows_of(leaf)
            mass = np.ones(len(own)) if weights is None else weights[own]
            best = leaf_minimum(self.loss, y[own], scores[own], mass, l2)
            values[leaf] = min(max(best, low[leaf]), high[leaf])

    def write(self, y: Vector, f: Vector, slopes: Vector, bends: Vector) -> None:
        """Write first and second derivatives of some rows, a line for each output."""
        loss = self.loss
        if isinstance(loss, Logistic):
            logistic_slopes(y, f[0], slopes[0], bends[0])
        elif isinstance(loss, Softmax):
            slopes[:] = loss.derivative(y, f.T).T
            shares = slopes.copy()
            shares[np.asarray(y, dtype=np.intp), np.arange(len(y))] += 1.0
            bends[:] = shares * (1.0 - shares)
        elif isinstance(loss, VectorLoss):
            slopes[:] = loss.derivative(y, f.T).T
            bends[:] = _own_curvatures(loss, y, f) if loss.smooth else 1.0
        else:
            slopes[0] = loss.derivative(y, f[0])
            bends[0] = loss.hessian(y, f[0]) if self.newton else 1.0


def _own_curvatures(loss: VectorLoss, y: Vector, f: Vector) -> Vector:
    """Return how each score bends the loss, the others held."""
    bend, units = loss.bending(y, f.T), np.eye(len(f))
    lines = [bend(np.tile(unit, (len(y), 1)))[:, k] for k, unit in enumerate(units)]
    return np.asarray(np.maximum(np.array(lines), 0.0))


def _curved_everywhere(loss: Loss) -> bool:
    """Tell whether the second derivative is positive at all scores that are tried."""
    if loss.target == "real":
        f = np.concatenate([-REACH, REACH])
        return bool((loss.hessian(np.zeros(len(f)), f) > 0).all())
    if loss.target == "sign":
        y, f = np.repeat([-1.0, 1.0], len(PROBES)), np.tile(PROBES, 2)
        return bool((loss.hessian(y, f) > 0).all())
    return bool((loss.hessian(np.ones(len(PROBES)), PROBES) > 0).all())
