"""Ordinary least squares, of any rank."""

from __future__ import annotations

import time
import warnings
from dataclasses import replace
from functools import partial
from typing import Any, ClassVar, Self

import numpy as np
from scipy import linalg
from sklearn.callback import with_callbacks

from infimum.certificates import Certificate, certify, certify_least_squares
from infimum.data.designs import DenseDesign
from infimum.data.doors import Rows
from infimum.data.doors.streamed_rows import streams
from infimum.data.doors.weights import known_scores
from infimum.errors import DataError, IncompatibleError
from infimum.losses import Squared
from infimum.models._guarded_fit import forget
from infimum.models._interruption import raise_if_interrupted
from infimum.models.linear._problem import LinearProblem
from infimum.models.linear._regressor import MultiTargetRegressor
from infimum.models.linear.closed_form._least_squares_system import (
    Answer,
    System,
    by_active_set,
    by_cholesky,
    by_gram,
    by_iteration,
    by_triangle,
    is_sparse,
)
from infimum.models.linear.coding import Columns, Number
from infimum.models.linear.estimator import certify_linear, learn
from infimum.models.linear.fit import Recipe
from infimum.models.warnings import UncertifiedWarning
from infimum.objectives import LinearRisk
from infimum.parameters import Choice, Domains, nonnegative
from infimum.penalties import Box, NoPenalty, Penalty
from infimum.solvers import Record, Solution
from infimum.typing import Vector

__all__ = ["LinearRegression"]

_METHODS = Choice(("auto", "cholesky", "qr", "svd", "eigen"))
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
    method : {'auto', 'cholesky', 'eigen', 'qr', 'svd'}, default='auto'
        How to solve: the normal equations by their triangle or by their spectrum (fast
        for many samples; columns must be independent), or the matrix itself by a
        pivoted triangle or by its singular values (safe for any rank; dense data).
        'auto' takes the spectrum where the columns are clearly independent, else the
        singular values, and iterates where a sparse matrix is too wide.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,) or (n_targets, n_features)
    intercept_ : float or ndarray of shape (n_targets,)
    rank_ : int
        Rank of the centred matrix; absent for sparse data solved by iteration and
        with ``positive=True``.
    singular_ : ndarray
        Singular values of the centred, weighted matrix; absent like `rank_`, and where
        a triangle was used.
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

    _domains: ClassVar[Domains] = {
        "tol": nonnegative,
        "method": _METHODS,
    }

    def __init__(
        self,
        *,
        fit_intercept: bool = True,
        copy_X: bool = True,
        tol: float = 1e-6,
        n_jobs: int | None = None,
        positive: bool = False,
        method: str = "auto",
    ) -> None:
        self.fit_intercept = fit_intercept
        self.copy_X = copy_X
        self.tol = tol
        self.n_jobs = n_jobs
        self.positive = positive
        self.method = method

    @streams("infimum.models.linear.streamed:fit_streamed")
    @with_callbacks  # type: ignore[untyped-decorator]
    def fit(
        self, X: Any, y: Any, sample_weight: Any = None, *, offset: Any = None
    ) -> Self:
        """Learn the coefficients, with a proof; return self.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Samples, float32 or float64.
        y : array-like of shape (n_samples,) or (n_samples, n_targets)
            Targets.
        sample_weight : array-like of shape (n_samples,), optional
            A weight of k means the same as k copies of the sample.
        offset : array-like of shape (n_samples,), optional
            Known part of each prediction, added to what is learnt.
        """
        learn(self, X, y, sample_weight, offset=offset)
        raise_if_interrupted(self)
        proof = self.certificate_
        if not proof.closed:
            warnings.warn(
                "LinearRegression cannot prove that its solution is optimal: the "
                f"relative gap is {proof.relative_gap:.1e}. Scale the features, lower "
                "tol if small singular values matter, or use Ridge.",
                UncertifiedWarning,
                stacklevel=3,
            )
        return self

    def predict(self, X: Any, *, offset: Any = None) -> Vector:
        """Return the predicted target of each sample; `offset` as in `fit`."""
        scores = super().predict(X)
        known = known_scores(type(self).__name__, len(scores), offset)
        return scores if known is None else np.asarray((scores.T + known).T)

    @streams("infimum.models.linear.streamed:certify_streamed")
    def certify(
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        *,
        offset: Any = None,
        tolerance: float | None = None,
        rigorous: bool = False,
    ) -> Certificate:
        """Recompute the proof from the coefficients and the data alone."""
        how: dict[str, Any] = {"tolerance": tolerance, "rigorous": rigorous}
        return certify_linear(self, X, y, sample_weight, **how, offset=offset)

    def _recipe(self, rows: Rows) -> Recipe:
        penalty = Box(0.0, np.inf) if self.positive else NoPenalty()
        return Recipe(
            Squared(),
            penalty,
            Number() if rows.y.ndim == 1 else Columns(),
            tolerance=_GAP,
            intercept=self.fit_intercept,
            state=_centred_for_real,
            solve=partial(self._solve, penalty),
        )

    def _solve(
        self, penalty: Penalty, problem: LinearProblem, *_: Any
    ) -> list[Solution]:
        """Return the proved answer for each target; set what is known of the rank."""
        started = time.perf_counter()
        system = System.of(problem)
        answer = self._answer(system)
        forget(self, "rank_", "singular_")
        if answer.rank is not None:
            self.rank_ = answer.rank
        if answer.singular is not None:
            self.singular_ = answer.singular
        columns = np.vstack([answer.weights, system.means]).T
        spectrum = None
        if answer.singular is not None and answer.rank == len(answer.weights):
            spectrum = answer.singular[::-1] ** 2 / problem.total
        return [
            _proved(risk, point, spectrum, started)
            for risk, point in zip(
                problem.risks(penalty), columns.astype(np.float64), strict=True
            )
        ]

    def _answer(self, system: System) -> Answer:
        if self.positive:
            return Answer(by_active_set(system.matrix, system.targets))
        if self.method in ("cholesky", "eigen"):
            return self._by_squares(system)
        if self.method != "auto" and system.matrix is None:
            raise DataError(
                f"LinearRegression(method={self.method!r}) takes dense data only: pass "
                "X.toarray(), or leave the method to 'auto'."
            )
        if self.method == "qr":
            return by_triangle(system, self.tol)
        return self._by_what_fits(system)

    def _by_squares(self, system: System) -> Answer:
        solve = by_cholesky if self.method == "cholesky" else by_gram
        answer = solve(system, self.tol)
        if answer is None:
            raise DataError(
                f"LinearRegression(method={self.method!r}) needs independent columns: "
                "one is, to rounding, a combination of others; use method='qr' or "
                "'svd'."
            )
        return answer

    def _by_what_fits(self, system: System) -> Answer:
        d, sparse = system.shape[1], system.matrix is None
        wide = d > _LARGEST_GRAM if sparse else _TALL * d > system.shape[0]
        if not wide and self.method == "auto":
            answer = by_gram(system, self.tol)
            if answer is not None:
                return answer
        if sparse:
            return Answer(by_iteration(system, self.tol))
        weights, _, rank, singular = linalg.lstsq(
            system.matrix, system.targets, cond=self.tol
        )
        return Answer(weights, rank, singular)

    def _rows(self, X: Any, y: Any, sample_weight: Any, *, reset: bool) -> Rows:
        rows = super()._rows(X, y, sample_weight, reset=reset)
        if self.positive and hasattr(rows.X, "tocsr"):
            raise IncompatibleError(
                "LinearRegression with positive=True takes dense data only: pass "
                "X.toarray(), or use Lasso(alpha=0, positive=True) on sparse data."
            )
        return rows

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = not self.positive
        return tags


def _centred_for_real(*data: Any, **how: Any) -> LinearProblem:
    """State a problem; nothing penalises rounding: centre in double precision."""
    problem = LinearProblem.of(*data, **how)
    plain = isinstance(problem.design, DenseDesign)
    if is_sparse(problem.design) or (plain and problem.design.dtype == np.float64):
        return problem
    A = np.asarray(problem.design.in_double().toarray(), dtype=np.float64)
    return replace(problem, design=DenseDesign(A, problem.design))


def _proved(
    risk: LinearRisk, point: Vector, spectrum: Vector | None, started: float
) -> Solution:
    known: dict[str, Any] = {"tolerance": _GAP, "reason": "closed form"}
    here = risk.evaluate(point)
    proof = None if spectrum is None else certify_least_squares(here, spectrum)
    if proof is None or not (proof := replace(proof, **known)).closed:
        proof = replace(certify(risk, here), **known).as_fine_as_rounding_allows()
    record = Record(1, time.perf_counter() - started, proof.primal, proof.dual)
    return Solution(here, proof, (record,), here.slopes)
