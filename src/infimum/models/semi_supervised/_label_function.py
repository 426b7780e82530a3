"""The smoothest function on a graph with given values, and a proof at every vertex."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import linalg, sparse
from scipy.sparse import csgraph

from infimum.models.graph._weights import degrees_of
from infimum.models.kernel._conjugate_gradients import conjugate_gradients
from infimum.typing import Mask, Matrix, Vector

__all__ = ["LabelFunction", "System", "label_function", "system_of"]

#: Systems up to this size are solved by Cholesky factors.
SMALL = 1_500
EPS = float(np.finfo(np.float64).eps)
#: Halvings of the interval in which the strength is looked for.
HALVINGS = 200


@dataclass(frozen=True, eq=False)
class LabelFunction:
    """Values at all vertices, and what is known of them.

    Attributes
    ----------
    values : ndarray of shape (n_vertices, n_columns)
    error : ndarray of shape (n_vertices,)
        No exact value is farther away.
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


@dataclass(frozen=True, eq=False)
class System:
    """A f = b on some vertices, for an M-matrix A: its inverse has no negative entry.

    So A z > 0 bounds the error of any f: |b - A f| ≤ t A z implies |f - A⁻¹b| ≤ t z.
    The z with A z = diag A weighs each equation by the rounding that it suffers.
    """

    matrix: Any
    right: Matrix
    vertices: Any

    def solve(self, right: Matrix, tol: float, most: int) -> tuple[Matrix, int]:
        """Return an approximate solution, and how many steps it took."""
        n = self.matrix.shape[0]
        if n <= SMALL:
            factor = linalg.cho_factor(self.matrix.toarray(), check_finite=False)
            return np.asarray(linalg.cho_solve(factor, right)), 1
        diagonal = self.matrix.diagonal()[:, None]
        return conjugate_gradients(
            lambda Z: np.asarray(self.matrix @ Z),
            lambda Z: Z / diagonal,
            right,
            tol,
            most,
            patience=most,
        )

    def proved(self, tol: float, most: int) -> tuple[Matrix, Vector, int]:
        """Return the solution with a bound on the error at each vertex."""
        columns = np.column_stack([self.right, self.matrix.diagonal()])
        found, steps = self.solve(columns, tol, most)
        f, z = found[:, :-1], found[:, -1]
        return f, self._bound(f, z), steps

    def _bound(self, f: Matrix, z: Vector) -> Vector:
        A = self.matrix
        sizes = abs(A)
        # What rounding may do to a sum of so many products, generously.
        terms = 4.0 * EPS * (np.diff(A.indptr).max(initial=0) + 4)
        slack = terms * (np.asarray(sizes @ np.abs(f)) + np.abs(self.right))
        residual = (np.abs(self.right - A @ f) + slack).max(axis=1)
        below = A @ z - terms * (sizes @ np.abs(z))
        if below.min() <= 0:
            return np.full(len(z), np.inf)
        return np.asarray(float((residual / below).max()) * z * (1.0 + 8.0 * EPS))


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
    system = system_of(W, known, Y, reached, strength)
    if np.isinf(strength):
        values[known] = Y
    steps = 0
    if len(system.vertices):
        f, bound, steps = system.proved(tol, most)
        values[system.vertices], error[system.vertices] = f, bound
    return LabelFunction(values, error, reached, strength, steps)


def system_of(W: Any, known: Mask, Y: Matrix, reached: Mask, strength: float) -> System:
    """Return the equations of the values that are not given."""
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
    return System(matrix, right, free)


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
    found = _at(W, known, Y, reached, float(np.exp(low)), tol, most)
    if _missed(found, known, Y) <= budget:
        return _means(W, known, Y, reached)
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        found = _at(W, known, Y, reached, float(np.exp(middle)), tol, most)
        missed = _missed(found, known, Y)
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
