"""Ordinary least squares, of any rank."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from scipy import linalg, optimize
from scipy.sparse.linalg import LinearOperator, lsqr

from infimum.certificates import certify
from infimum.data.designs import DenseDesign, Design, SparseDesign, StandardizedDesign
from infimum.errors import DataError
from infimum.losses import Loss, Squared
from infimum.models.linear._base import Start
from infimum.models.linear._multi_target import MultiTargetRegressor
from infimum.models.linear._problem import LinearProblem
from infimum.models.warnings import UncertifiedWarning
from infimum.objectives import LinearRisk
from infimum.parameters import check_domain, nonnegative
from infimum.penalties import Box, NoPenalty, Penalty
from infimum.solvers import Record, Solution
from infimum.typing import Matrix, Vector

__all__ = ["LinearRegression"]

#: A Gram matrix is trusted while its smallest eigenvalue stands this far above noise.
_TRUST = 1e4
_TALL = 4
_LARGEST_GRAM = 2_000
#: The relative gap that a fit must prove.
_GAP = 1e-6


class LinearRegression(MultiTargetRegressor):
    r"""The linear function with the smallest squared error.

    .. math:: \min_{w, b} \sum_i s_i\, (y_i - ⟨w, x_i⟩ - b)^2

    If the columns are independent the solution is unique,
    :math:`w = (X^⊤X)^{-1} X^⊤y`. Otherwise many weights predict the training points
    equally well, and the shortest is returned, :math:`w = (X^⊤X)^+ X^⊤y`; other
    points may then be predicted very differently by another solution. With more
    columns than points the training error is zero and says nothing: regularise.

    Parameters
    ----------
    fit_intercept : bool, default=True
        Whether to learn b.
    copy_X : bool, default=True
        Kept for compatibility; `X` is never overwritten.
    tol : float, default=1e-6
        Singular values below `tol` times the largest count as zero.
    n_jobs : int or None, default=None
        Kept for compatibility; the linear algebra uses all cores.
    positive : bool, default=False
        Whether to allow only weights of at least 0 (dense data).

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,) or (n_targets, n_features)
    intercept_ : float or ndarray of shape (n_targets,)
    rank_ : int
        Rank of the centred matrix; absent for sparse data solved by iteration and
        with ``positive=True``.
    singular_ : ndarray
        Singular values of the centred, weighted matrix; absent like `rank_`.
    certificate_ : Certificate
        How far the least certain target's weights can be from optimal; singular
        values that were dropped and mattered show here.
    history_ : tuple of Record
        Bounds against time.
    n_iter_ : int
    n_features_in_ : int

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[1.0, 1.0], [2.0, 2.0], [4.0, 4.0]])
    >>> model = LinearRegression().fit(X, [2.0, 4.0, 8.0])
    >>> model.rank_, model.coef_.round(6)
    (1, array([1., 1.]))
    """

    def __init__(
        self,
        *,
        fit_intercept: bool = True,
        copy_X: bool = True,
        tol: float = 1e-6,
        n_jobs: int | None = None,
        positive: bool = False,
    ) -> None:
        self.fit_intercept = fit_intercept
        self.copy_X = copy_X
        self.tol = tol
        self.n_jobs = n_jobs
        self.positive = positive

    def _loss(self) -> Loss:
        return Squared()

    def _penalty(self, total: float) -> Penalty:
        return Box(0.0, np.inf) if self.positive else NoPenalty()

    def _tolerance(self) -> float:
        return _GAP

    def _solve(
        self, problem: LinearProblem, starts: list[Start], callback: Any
    ) -> list[Solution]:
        check_domain("LinearRegression.tol", self.tol, nonnegative)
        started = time.perf_counter()
        system = _System.of(problem)
        answer = self._answer(system)
        for name in ("rank_", "singular_"):
            self.__dict__.pop(name, None)
        if answer.singular is not None:
            self.rank_, self.singular_ = answer.rank, answer.singular
        risks = problem.risks(self._penalty(problem.total))
        columns = np.vstack([answer.weights, system.means]).T
        return [
            _proved(risk, point, started)
            for risk, point in zip(risks, columns.astype(np.float64), strict=True)
        ]

    def _answer(self, system: _System) -> _Answer:
        if self.positive:
            return _Answer(_nonnegative(system.matrix, system.targets))
        d, sparse = system.shape[1], system.matrix is None
        wide = d > _LARGEST_GRAM if sparse else _TALL * d > system.shape[0]
        answer = None if wide else _by_gram(system, self.tol)
        if answer is not None:
            return answer
        if sparse:
            return _Answer(_by_iteration(system, self.tol))
        weights, _, rank, singular = linalg.lstsq(
            system.matrix, system.targets, cond=self.tol
        )
        return _Answer(weights, rank, singular)

    def _warn_if_open(self) -> None:
        proof = self.certificate_
        if not proof.closed:
            warnings.warn(
                "LinearRegression cannot prove that its solution is optimal: the "
                f"relative gap is {proof.relative_gap:.1e}. Scale the features, lower "
                "tol if small singular values matter, or use Ridge.",
                UncertifiedWarning,
                stacklevel=4,
            )

    def _state(
        self, X: Any, y: Any, sample_weight: Any, *, reset: bool
    ) -> LinearProblem:
        problem = super()._state(X, y, sample_weight, reset=reset)
        if _is_sparse(problem.design):
            return problem
        # Nothing penalises rounding here: centre for real, in double precision.
        A = np.asarray(problem.design.toarray(), dtype=np.float64)
        return replace(problem, design=DenseDesign(A))

    def _admit(
        self, X: Any, y: Any, sample_weight: Any, *, reset: bool
    ) -> tuple[Any, tuple[Vector, ...], Vector | None]:
        X, targets, weights = super()._admit(X, y, sample_weight, reset=reset)
        if self.positive and hasattr(X, "tocsr"):
            raise DataError(
                "LinearRegression with positive=True takes dense data only: pass "
                "X.toarray(), or use Lasso(alpha=0, positive=True) on sparse data."
            )
        return X, targets, weights

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = not self.positive
        return tags


class _Answer(NamedTuple):
    weights: Matrix
    rank: int = 0
    singular: Vector | None = None


class _System(NamedTuple):
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
    def of(cls, problem: LinearProblem) -> _System:
        """Weight and centre a learning problem."""
        design, targets = problem.design, np.column_stack(problem.targets)
        weight = problem.sample_weight
        means = np.zeros(targets.shape[1])
        if problem.intercept:
            means = np.average(targets, axis=0, weights=weight)
        root = 1.0 if weight is None else np.sqrt(weight)[:, None]
        Y = root * (targets - means)
        if not _is_sparse(design):
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


def _is_sparse(design: Design) -> bool:
    inner = design.original if isinstance(design, StandardizedDesign) else design
    return isinstance(inner, SparseDesign)


def _by_gram(system: _System, tol: float) -> _Answer | None:
    """Solve the normal equations and refine; None if the rank is in doubt.

    Squaring the matrix squares its condition number, so the first answer may hold
    half the digits only. Each refinement multiplies the error by about 1/_TRUST.
    """
    gram = system.gram()
    spectrum, vectors = linalg.eigh(gram, check_finite=False)
    rounding = float(np.finfo(np.float64).eps)
    noise = _TRUST * rounding * max(system.raw, spectrum[-1])
    if not spectrum[0] > max(noise, tol**2 * spectrum[-1]):
        return None
    weights = np.zeros((len(gram), system.targets.shape[1]))
    residual = system.targets
    for _ in range(6):
        step = vectors @ ((vectors.T @ system.adjoint(residual)) / spectrum[:, None])
        weights += step
        if np.abs(step).max() <= rounding * np.abs(weights).max():
            break
        residual = system.targets - system.forward(weights)
    return _Answer(weights, len(gram), np.sqrt(spectrum[::-1]))


def _by_iteration(system: _System, tol: float) -> Matrix:
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


def _nonnegative(A: Matrix, Y: Matrix) -> Matrix:
    d = A.shape[1]
    if A.shape[0] > 2 * d:
        # ‖Aw - y‖² and ‖Rw - Qᵀy‖² differ by a constant.
        joint: Any = np.linalg.qr(np.hstack([A, Y]), mode="r")
        A, Y = joint[:, :d], joint[:, d:]
    return np.column_stack([optimize.nnls(A, y)[0] for y in Y.T])


def _proved(risk: LinearRisk, point: Vector, started: float) -> Solution:
    here = risk.evaluate(point)
    proof = replace(certify(risk, here), tolerance=_GAP, reason="closed form")
    record = Record(1, time.perf_counter() - started, proof.primal, proof.dual)
    return Solution(here, proof, (record,), here.slopes)
