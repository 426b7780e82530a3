"""The normal equations of least squares and the ways to solve them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from scipy import linalg, optimize
from scipy.sparse.linalg import LinearOperator, lsqr

from infimum.data.designs import Design, SparseDesign, StandardizedDesign
from infimum.models.linear._problem import LinearProblem
from infimum.typing import Matrix, Vector

__all__ = [
    "Answer",
    "System",
    "by_active_set",
    "by_cholesky",
    "by_gram",
    "by_iteration",
    "by_triangle",
    "is_sparse",
]

#: A Gram matrix is trusted while its smallest eigenvalue stands this far above noise.
_TRUST = 1e4
_ROUNDING = float(np.finfo(np.float64).eps)


class Answer(NamedTuple):
    """Weights, a column for each target, and what is known of the matrix's rank."""

    weights: Matrix
    rank: int | None = None
    singular: Vector | None = None


class System(NamedTuple):
    """min ‖A w - y‖² for every target, with samples weighted and means taken off.

    A dense `matrix` is at hand; a sparse one is None and never filled.
    """

    shape: tuple[int, int]
    matrix: Any
    forward: Callable[[Any], Any]
    adjoint: Callable[[Any], Any]
    gram: Callable[[], Matrix]
    #: Size of the numbers that cancel when the Gram matrix is centred.
    raw: float
    targets: Matrix
    means: Vector

    @classmethod
    def of(cls, problem: LinearProblem) -> System:
        """Weight and centre a learning problem."""
        design, targets = problem.design, np.column_stack(problem.targets)
        if problem.offset is not None:
            targets = targets - problem.offset[:, None]
        weight = problem.sample_weight
        means = np.zeros(targets.shape[1])
        if problem.intercept:
            means = np.average(targets, axis=0, weights=weight)
        root = 1.0 if weight is None else np.sqrt(weight)[:, None]
        Y = root * (targets - means)
        if not is_sparse(design):
            A = design.toarray() if weight is None else root * design.toarray()
            forward, adjoint = A.__matmul__, A.T.__matmul__
            return cls(A.shape, A, forward, adjoint, lambda: A.T @ A, 0.0, Y, means)
        return cls(
            design.shape,
            None,
            lambda W: root * design.scores(W),
            lambda R: design.pull_back(root * R),
            lambda: design.gram(weight),
            problem.total * float(np.square(problem.means).max(initial=0.0)),
            Y,
            means,
        )


def is_sparse(design: Design) -> bool:
    """Return whether the samples are kept without their zeros."""
    inner = design.original if isinstance(design, StandardizedDesign) else design
    return isinstance(inner, SparseDesign)


def by_gram(system: System, tol: float) -> Answer | None:
    """Solve the normal equations by their spectrum; None if the rank is in doubt."""
    gram = system.gram()
    spectrum, vectors = linalg.eigh(gram, check_finite=False)
    noise = _TRUST * _ROUNDING * max(system.raw, spectrum[-1])
    if not spectrum[0] > max(noise, tol**2 * spectrum[-1]):
        return None
    weights = _refined(
        system, lambda pull: vectors @ ((vectors.T @ pull) / spectrum[:, None])
    )
    return Answer(weights, len(gram), np.sqrt(spectrum[::-1]))


def by_cholesky(system: System, tol: float) -> Answer | None:
    """Solve the normal equations by a triangle; None if the rank is in doubt."""
    gram = system.gram()
    try:
        factor = linalg.cho_factor(gram, lower=True)
    except linalg.LinAlgError:
        return None
    pivots = np.diag(factor[0]) ** 2
    noise = _TRUST * _ROUNDING * max(system.raw, float(np.diag(gram).max()))
    if not pivots.min() > max(noise, tol**2 * pivots.max()):
        return None
    weights = _refined(system, lambda pull: linalg.cho_solve(factor, pull))
    return Answer(weights, len(gram))


def by_triangle(system: System, tol: float) -> Answer:
    """Factor the matrix itself, A = QR with the columns of largest rest first.

    Nothing is squared, so no digits are lost; columns whose rest is below `tol` times
    the first are taken for combinations of the others, and the norm is least.
    """
    weights, _, rank, _ = linalg.lstsq(
        system.matrix, system.targets, cond=tol, lapack_driver="gelsy"
    )
    return Answer(weights, int(rank))


def _refined(system: System, solve: Callable[[Matrix], Matrix]) -> Matrix:
    """Return the weights, solved for and corrected by what the residual still shows.

    Squaring the matrix squares its condition number, so the first answer may hold
    half the digits only. Each refinement multiplies the error by about 1/_TRUST.
    """
    weights = np.zeros((system.shape[1], system.targets.shape[1]))
    residual = system.targets
    for _ in range(6):
        step = solve(system.adjoint(residual))
        weights += step
        if np.abs(step).max() <= _ROUNDING * np.abs(weights).max():
            break
        residual = system.targets - system.forward(weights)
    return weights


def by_iteration(system: System, tol: float) -> Matrix:
    """Run LSQR from zero: its iterates stay in the row space, so the norm is least.

    A direction whose singular value is `tol` times the largest weighs `tol` squared
    in the quantity that LSQR watches.
    """
    accuracy = max(tol**2, float(np.finfo(np.float64).eps))
    operator = LinearOperator(
        shape=system.shape,
        matvec=lambda w: system.forward(np.reshape(w, (-1, 1))).ravel(),
        rmatvec=lambda r: system.adjoint(np.reshape(r, (-1, 1))).ravel(),
        dtype=system.targets.dtype,
    )
    return np.column_stack(
        [lsqr(operator, y, atol=accuracy, btol=accuracy)[0] for y in system.targets.T]
    )


def by_active_set(A: Matrix, Y: Matrix) -> Matrix:
    """Return the best weights of at least 0."""
    d = A.shape[1]
    if A.shape[0] > 2 * d:
        # ‖Aw - y‖² and ‖Rw - Qᵀy‖² differ by a constant.
        joint: Any = np.linalg.qr(np.hstack([A, Y]), mode="r")
        A, Y = joint[:, :d], joint[:, d:]
    return np.column_stack([optimize.nnls(A, y)[0] for y in Y.T])
