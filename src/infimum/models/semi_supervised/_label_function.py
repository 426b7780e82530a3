"""The smoothest function on a graph with given values, and a proof at every vertex."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse
from scipy.sparse import csgraph

from infimum.models.graph._m_system import EPS, MSystem
from infimum.models.graph._weights import degrees_of
from infimum.typing import Indices, Mask, Matrix, Vector

__all__ = ["LabelFunction", "label_function", "system_of"]

#: Halvings of the interval in which the strength is looked for.
HALVINGS = 200


@dataclass(frozen=True, eq=False)
class LabelFunction:
    """Values at all vertices, and what is known of them.

    Attributes
    ----------
    values : ndarray of shape (n_vertices, n_columns)
    error : ndarray of shape (n_vertices,)
        No exact value is farther away, at the strength told.
    reached : ndarray of bool
        Whether a vertex is connected with a label; the others have no value.
    strength : float
        The λ of the penalised problem that they solve.
    n_iter : int
        Steps of conjugate gradients.
    """

    values: Matrix
    error: Vector
    reached: Mask
    strength: float
    n_iter: int


def label_function(
    W: Any, known: Mask, Y: Matrix, how: str, level: float, tol: float, most: int
) -> LabelFunction:
    """Return the smoothest function for labels Y of the known vertices.

    `how` is "exact", "penalized" with strength `level`, or "constrained" to a sum of
    squared deviations of `level`.
    """
    reached = _reached(W, known)
    if how == "constrained":
        return _constrained(W, known, Y, reached, level, tol, most)
    strength = np.inf if how == "exact" else level
    return _at(W, known, Y, reached, strength, tol, most)


def _at(
    W: Any,
    known: Mask,
    Y: Matrix,
    reached: Mask,
    strength: float,
    tol: float,
    most: int,
) -> LabelFunction:
    values, error = np.full((len(known), Y.shape[1]), np.nan), np.full(len(known), 0.0)
    error[~reached] = np.inf
    system, free = system_of(W, known, Y, reached, strength)
    if np.isinf(strength):
        values[known] = Y
    steps = 0
    if len(free):
        f, bound, steps = system.proved(tol, most)
        values[free], error[free] = f, bound
    return LabelFunction(values, error, reached, strength, steps)


def system_of(
    W: Any, known: Mask, Y: Matrix, reached: Mask, strength: float
) -> tuple[MSystem, Indices]:
    """Return the equations of the values that are not given, and their vertices."""
    free = np.flatnonzero(reached & ~known if np.isinf(strength) else reached)
    rows = sparse.csr_array(W)[free]
    # Loops cancel in D - W; what leaves for given vertices stays in the degrees.
    inner = rows[:, free]
    degrees = degrees_of(rows) - inner.diagonal()
    off = sparse.csr_array(inner - sparse.diags_array(inner.diagonal()))
    matrix = sparse.csr_array(sparse.diags_array(degrees) - off)
    if np.isinf(strength):
        right = np.asarray(rows[:, np.flatnonzero(known)] @ Y)
    else:
        given = np.zeros((len(known), Y.shape[1]))
        given[known] = strength * Y
        right = given[free]
        matrix = sparse.csr_array(
            matrix + sparse.diags_array(strength * known[free].astype(np.float64))
        )
    matrix.eliminate_zeros()
    return MSystem(matrix, right), free


def _reached(W: Any, known: Mask) -> Mask:
    """Tell which vertices are in a component with a label."""
    labels = csgraph.connected_components(sparse.csr_array(W), directed=False)[1]
    with_label = np.zeros(labels.max() + 1, dtype=bool)
    with_label[labels[known]] = True
    return np.asarray(with_label[labels])


def _constrained(
    W: Any, known: Mask, Y: Matrix, reached: Mask, budget: float, tol: float, most: int
) -> LabelFunction:
    """Find the strength at which the labels are missed by the budget exactly.

    The deviation falls as the strength grows; from 0 on, where each component takes
    its mean, which is smoothest of all.
    """
    if budget == 0:
        return _at(W, known, Y, reached, np.inf, tol, most)
    level = float(np.asarray(W.sum())) / max(W.shape[0], 1) or 1.0
    low, high = np.log(level) - 60.0, np.log(level) + 60.0
    if _missed(found := _means(W, known, Y, reached), known, Y) <= budget:
        return found
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        found = _at(W, known, Y, reached, float(np.exp(middle)), tol, most)
        missed = _missed(found, known, Y)
        if np.isnan(missed):  # so weak that rounding hides it beside the weights
            missed = np.inf
        if budget * (1.0 - 1e-9) <= missed <= budget or high - low < 1e-13:
            break
        low, high = (middle, high) if missed > budget else (low, middle)
    return found


def _missed(found: LabelFunction, known: Mask, Y: Matrix) -> float:
    return float(np.sum((found.values[known] - Y) ** 2))


def _means(W: Any, known: Mask, Y: Matrix, reached: Mask) -> LabelFunction:
    labels = csgraph.connected_components(sparse.csr_array(W), directed=False)[1]
    values = np.full((len(known), Y.shape[1]), np.nan)
    for part in np.unique(labels[known]):
        values[labels == part] = Y[labels[known] == part].mean(axis=0)
    error = np.where(reached, 8.0 * EPS * np.abs(Y).max(initial=0.0), np.inf)
    return LabelFunction(values, error, reached, 0.0, 0)
