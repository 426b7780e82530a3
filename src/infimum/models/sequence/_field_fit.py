"""How a random field is fitted: its features, its penalty, its solver."""

from __future__ import annotations

from typing import Any

import numpy as np

from infimum.data.doors import TokenAttributes, weighed
from infimum.errors import DataError
from infimum.objectives import FieldFeatures, FieldRisk, Plane
from infimum.penalties import ElasticNet, Lasso, NoPenalty, Penalty, Ridge
from infimum.solvers import LBFGS, OrthantWise, Solution
from infimum.typing import Indices, Mask, Matrix, Vector

__all__ = [
    "HeldBack",
    "carried_over",
    "code_labels",
    "field_features",
    "field_penalty",
    "minimize_field",
    "of_weight",
    "sequence_weights",
]


def code_labels(owner: str, labels: list[Any], known: list[Any]) -> Indices:
    """Return labels as numbers; new ones are added to those known."""
    numbers = {label: k for k, label in enumerate(known)}
    try:
        codes = [numbers.setdefault(label, len(numbers)) for label in labels]
    except TypeError:
        raise DataError(f"{owner} needs labels that are words or numbers.") from None
    known[:] = list(numbers)
    return np.array(codes, dtype=np.intp)


def field_features(
    rows: TokenAttributes,
    labels: Indices,
    shape: tuple[int, int],
    least: float,
    everything: tuple[bool, bool],
    weights: Vector,
) -> FieldFeatures:
    """Return the pairs seen at least so often; all of them where that is asked for.

    Frequencies are sums of values, as CRFsuite counts them, of sequences with weights.
    """
    n_attributes, n_labels = shape
    counts, each = np.diff(rows.tokens), np.repeat(weights, rows.lengths)
    codes = rows.ids.astype(np.int64) * n_labels + np.repeat(labels, counts)
    values = rows.values * np.repeat(each, counts)
    freq = _sums(codes, values, n_attributes * n_labels)
    seen = _sums(codes, np.ones(len(codes)), n_attributes * n_labels) > 0
    states = (seen & (freq >= least)).reshape(n_attributes, n_labels)
    inner = np.ones(len(labels), dtype=bool)
    inner[rows.bounds[:-1]] = False
    here = np.flatnonzero(inner)
    moves = np.zeros((n_labels, n_labels))
    np.add.at(moves, (labels[here - 1], labels[here]), each[here])
    if everything[0]:
        states = states | (freq.reshape(states.shape) >= least)
    kept: Mask = ((moves > 0.0) & (moves >= least)) | np.full(
        moves.shape, everything[1] and least <= 0
    )
    return FieldFeatures(states, kept)


def _sums(codes: Indices, values: Vector, size: int) -> Vector:
    return np.asarray(np.bincount(codes, values, minlength=size), dtype=np.float64)


def field_penalty(c1: float, c2: float, total: float) -> Penalty:
    """Return CRFsuite's c1‖w‖₁ + c2‖w‖² of a sum of losses as one of their mean."""
    l1, l2 = c1 / total, 2.0 * c2 / total
    if l1 == 0.0:
        return Ridge(l2) if l2 > 0.0 else NoPenalty()
    return Lasso(l1) if l2 == 0.0 else ElasticNet(l1 + l2, l1 / (l1 + l2))


def minimize_field(
    risk: FieldRisk, start: Vector | None, limits: tuple[float, int, int]
) -> Solution:
    """Minimise the risk of a random field by quasi-Newton steps."""
    tolerance, iterations, memory = limits
    smooth = risk.penalty.quadratic is not None
    solver: Any = (LBFGS if smooth else OrthantWise)(
        tolerance=tolerance, max_iterations=iterations, memory=memory
    )
    point = None if start is None else np.append(start, 0.0)
    found: Solution = solver.solve(risk, point)
    return found


def carried_over(old: FieldFeatures, w: Vector, new: FieldFeatures) -> Vector:
    """Return the weights of a field for one with more attributes, labels, pairs."""
    states, moves = np.zeros(new.states.shape), np.zeros(new.moves.shape)
    count = int(old.states.sum())
    a, k = old.states.shape
    table: Matrix = np.zeros(old.states.shape)
    table[old.states] = w[:count]
    states[:a, :k] = table
    corner = np.zeros(old.moves.shape)
    corner[old.moves] = w[count:]
    moves[:k, :k] = corner
    return np.concatenate([states[new.states], moves[new.moves]])


class HeldBack(FieldRisk):
    """The risk of a field around old weights: a point is how far they move."""

    def __init__(self, *parts: Any) -> None:
        super().__init__(*parts[:-1])
        self.centre = np.append(parts[-1], 0.0)

    def touch(self, point: Vector) -> Any:
        value, plane = super().touch(point + self.centre)
        height = value - float(plane.slope @ point)
        self._known[-1] = Plane(plane.slope, height, point.copy())
        return value, self._known[-1]

    def _weights(self, point: Vector) -> Vector:
        return np.asarray(point + self.centre)


def sequence_weights(sample_weight: Any, count: int) -> Vector:
    """Return the weight of each sequence, 1 by default."""
    found = weighed(sample_weight, np.zeros((count, 1)))
    return np.ones(count) if found is None else np.asarray(found)


def of_weight(
    X: Any, y: Any, sample_weight: Any
) -> tuple[list[Any], list[Any], Vector | None]:
    """Return sequences, labels and weights without those of weight 0."""
    if sample_weight is None or y is None:
        return X, y, None
    X, y = list(X), list(y)
    weights = sequence_weights(sample_weight, len(X))
    kept = np.flatnonzero(weights) if len(X) == len(y) else range(0)
    if len(kept) in (0, len(X)):
        return X, y, weights
    return [X[k] for k in kept], [y[k] for k in kept], weights[kept]
