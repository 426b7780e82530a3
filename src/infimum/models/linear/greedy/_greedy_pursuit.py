"""Greedy variable selection: the loop of all matching pursuits."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin

from infimum.data.designs import Design, as_design
from infimum.data.doors import measured, samples
from infimum.losses import Squared
from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.models.linear._overflow import affine, blames_numbers
from infimum.models.linear._problem import LinearProblem
from infimum.parameters import Domains, check_parameters, nonnegative, or_none
from infimum.typing import Indices, Mask, Matrix, Vector

__all__ = ["ColumnFits", "GreedyPursuit", "Pursuit", "column_fits", "selections"]


class ColumnFits(NamedTuple):
    """How well each column explains a residual alone: slopes v and gains a."""

    coefficients: Vector
    gains: Vector


def column_fits(X: Any, residual: Vector, sample_weight: Any = None) -> ColumnFits:
    r"""Return the least-squares fit of a residual on every single column.

    .. math:: v_j = \operatorname*{argmin}_v \|r - v X^j\|^2
              = \frac{⟨r, X^j⟩}{\|X^j\|^2}, \qquad
              a_j = \|r\|^2 - \|r - v_j X^j\|^2 = \frac{⟨r, X^j⟩^2}{\|X^j\|^2}

    The gain a is at once the squared length of the projection on the column and what
    the column removes from the residual sum of squares. A column of zeros gains 0.

    Parameters
    ----------
    X : array, sparse matrix or design of shape (n, d)
    residual : ndarray of shape (n,)
    sample_weight : ndarray of shape (n,), optional
        Weights of the rows in all inner products.

    Examples
    --------
    >>> import numpy as np
    >>> fits = column_fits(np.array([[1.0, 0.0], [1.0, 2.0]]), np.array([1.0, 3.0]))
    >>> fits.coefficients, fits.gains
    (array([2. , 1.5]), array([8., 9.]))
    """
    design = as_design(X)
    return _fits(design, residual, sample_weight, design.squared_norms(sample_weight))


class Pursuit(ABC):
    """One pursuit in progress: a residual, and what each selection does to it."""

    def __init__(self, design: Design, y: Vector, weights: Vector) -> None:
        self.design = design
        self.weights = weights
        self.residual = y.copy()
        self.free: Mask = np.ones(design.shape[1], dtype=bool)

    @property
    def square(self) -> float:
        """The weighted squared length of the residual."""
        return float(self.weights @ self.residual**2)

    def column(self, k: int) -> Vector:
        """Return one column of the design, in double precision."""
        chosen = self.design.columns(np.array([k])).toarray()
        return np.asarray(chosen[:, 0], dtype=np.float64)

    @abstractmethod
    def select(self, k: int, coefficient: float) -> bool:
        """Use column `k`, which explains the residual best with that coefficient.

        Returns whether the residual could be made smaller.
        """

    @abstractmethod
    def coefficients(self) -> Vector:
        """Return the coefficients that leave the present residual."""


def selections(
    pursuit: Pursuit, steps: int, floor: float | None
) -> Iterator[tuple[int, float]]:
    """Select column after column; yield each with what it alone would have gained.

    The pursuit ends after so many steps, when the squared residual is at most `floor`
    (rounding when None), or when no column explains anything more.
    """
    design, weights = pursuit.design, pursuit.weights
    norms = design.squared_norms(weights)
    noise = (8.0 * float(np.finfo(design.dtype).eps)) ** 2
    floor, count = noise * pursuit.square if floor is None else floor, 0
    while count < steps and (left := pursuit.square) > floor:
        fits = _fits(design, pursuit.residual, weights, norms)
        k = _best(np.where(pursuit.free, fits.gains, -1.0))
        if not (pursuit.free[k] and fits.gains[k] > noise * left):
            return  # the rest is orthogonal to every column
        if pursuit.select(k, float(fits.coefficients[k])):
            count += 1
            yield k, float(fits.gains[k])


class GreedyPursuit(RegressorMixin, BaseEstimator, ABC):  # type: ignore[misc]
    """Sparse least squares, one column at a time.

    Start from the residual y and no column. Then, again and again: find the column
    that explains the residual best, add it to the selection, update the coefficients,
    update the residual. A pursuit says how coefficients and residual are updated.
    """

    coef_: Any
    intercept_: Any
    fit_intercept: bool
    tol: float | None
    _domains: ClassVar[Domains] = {"tol": or_none(nonnegative)}

    @abstractmethod
    def _recipe(self, n_features: int) -> tuple[type[Pursuit], int]:
        """Return the kind of pursuit, and the largest number of its selections."""

    @whole_or_not_at_all
    @blames_numbers
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Select columns and learn their coefficients; return self.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Samples, float32 or float64.
        y : array-like of shape (n_samples,) or (n_samples, n_targets)
            Targets; several are pursued one by one.
        sample_weight : array-like of shape (n_samples,), optional
            A weight of k means the same as k copies of the sample.
        """
        rule: dict[str, Any] = {"multi_output": True, "moderate": True}
        rows = measured(self, X, y, sample_weight, **rule)
        X, y = rows.X, rows.y
        check_parameters(self)
        recipe = self._recipe(X.shape[1])
        problem = LinearProblem.of(
            X,
            tuple(y.reshape(len(y), -1).T),
            Squared(),
            rows.weights,
            intercept=self.fit_intercept,
        )
        trails = [self._pursue(problem, y, *recipe) for y in problem.targets]
        columns = 0 if rows.y.ndim == 1 else rows.y.shape[1]
        self._keep(problem, trails, X.dtype, several=columns > 1)
        if columns == 1 and self.fit_intercept:
            self.intercept_ = np.array([self.intercept_])
        return self

    def predict(self, X: Any) -> Vector | Matrix:
        """Return ⟨w, x⟩ + b for each sample."""
        X = samples(self, X)
        return affine(self, X, self.coef_, self.intercept_)

    def _pursue(
        self, problem: LinearProblem, y: Vector, kind: type[Pursuit], steps: int
    ) -> _Trail:
        design, share = problem.design, problem.sample_weight
        weights = np.ones(len(y)) if share is None else share
        mean = float(weights @ y / weights.sum()) if problem.intercept else 0.0
        pursuit = kind(design, y - mean, weights)
        squares, gains = [pursuit.square], []
        selected: list[int] = []
        for k, gain in selections(pursuit, steps, self.tol):
            selected.append(k)
            gains.append(gain)
            squares.append(pursuit.square)
        point = np.append(pursuit.coefficients(), mean)
        return _Trail(
            point, np.array(selected, np.intp), np.array(gains), np.array(squares)
        )

    def _keep(
        self, problem: LinearProblem, trails: list[_Trail], dtype: Any, *, several: bool
    ) -> None:
        pairs = [problem.unpack(trail.point, k) for k, trail in enumerate(trails)]
        coefs = [coef.astype(dtype) for coef, _ in pairs]
        self.coef_ = np.array(coefs) if several else coefs[0]
        intercepts = [np.float64(intercept) for _, intercept in pairs]
        self.intercept_ = np.array(intercepts) if several else intercepts[0]
        if not self.fit_intercept:
            self.intercept_ = 0.0
        counts = [len(trail.selected) for trail in trails]
        selected, gains, squares = zip(*(trail[1:] for trail in trails), strict=True)
        self.n_iter_ = counts if several else counts[0]
        self.selected_ = list(selected) if several else selected[0]
        self.gains_ = list(gains) if several else gains[0]
        self.residual_squares_ = list(squares) if several else squares[0]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.target_tags.multi_output = True
        return tags


class _Trail(NamedTuple):
    point: Vector
    selected: Indices
    gains: Vector
    squares: Vector


def _fits(
    design: Design, residual: Vector, weights: Vector | None, norms: Vector
) -> ColumnFits:
    pull = residual if weights is None else weights * residual
    products = np.asarray(design.pull_back(pull), dtype=np.float64)
    inverse = np.divide(1.0, norms, out=np.zeros_like(norms), where=norms > 0)
    return ColumnFits(products * inverse, products**2 * inverse)


def _best(gains: Vector) -> int:
    """Return the first of equally good columns, whatever rounding says."""
    top = gains.max()
    return int(np.argmax(gains >= top - 1e-9 * abs(top)))
