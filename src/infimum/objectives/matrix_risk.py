r"""A matrix seen in some entries, and what a factorisation of it is worth.

With seen entries Ω, weights c, and M = T U Vᵀ Sᵀ for factors U, V of any rank,

.. math:: N F(U, V) = \tfrac12 \sum_Ω c (z - a - b - m)^2
          + \tfrac g2 \sum_{\text{unseen}} m^2 + \tfrac λ2 (\|U\|^2 + \|V\|^2)
          + \tfrac β2 (\|a\|^2 + \|b\|^2)

with N the total weight. T = [I, A] holds the features of rows beside one free
direction each, and S those of columns; a and b are biases, made from the same T and S.
Over all ranks ½(‖U‖² + ‖V‖²) has the minimum ‖W‖_*, the trace norm of W = UVᵀ: the
problem over W is convex. Explicit ratings have g = 0, implicit ones g = 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

from infimum.compiled.factor_rows import BLOCK, entry_products
from infimum.typing import Indices, Matrix, Vector

__all__ = ["Factors", "MatrixRisk", "SeenSide"]


class SeenSide(NamedTuple):
    """The seen entries in the order of rows, or of columns."""

    starts: Indices
    places: Indices
    #: Where the entries of this order are in the order of rows.
    order: Indices
    features: Any
    scales: Vector


class Factors(NamedTuple):
    """Factors of both sides; a bias, if there is one, is the column after the last."""

    rows: Matrix
    columns: Matrix
    rank: int

    @property
    def flipped(self) -> Factors:
        """The factors of the transposed matrix."""
        return Factors(self.columns, self.rows, self.rank)


@dataclass(frozen=True, eq=False)
class MatrixRisk:
    """Half the mean squared error on seen entries, and a penalty on factors.

    Parameters
    ----------
    seen : csr_array
        The entries, less what is taken as known (a mean); stored zeros are entries.
    strength : float
        λ/N: the factor of the trace norm, where losses are averaged.
    weights : ndarray, optional
        One for each entry, in the order of `seen`; 1 unless given.
    background : float, default=0.0
        The weight of unseen entries, whose target is 0.
    bias_strength : float, optional
        β/N; without it there are no biases.
    row_scales, column_scales : ndarray, optional
        Factors of the penalty on each row of U and V.
    row_features, column_features : sparse matrix, optional
    total : float, optional
        N; the total weight, or the number of entries where unseen ones have a weight.

    Examples
    --------
    >>> from scipy import sparse
    >>> risk = MatrixRisk(sparse.csr_array([[4.0, 0.0], [0.0, 2.0]]), strength=0.5)
    >>> risk.total, risk.null
    (2.0, 5.0)
    """

    seen: Any
    strength: float
    weights: Any = None
    background: float = 0.0
    bias_strength: float | None = None
    row_scales: Vector | None = None
    column_scales: Vector | None = None
    row_features: Any = None
    column_features: Any = None
    total: float = 0.0

    def __post_init__(self) -> None:
        counted = self.background > 0.0 or self.weights is None
        total = float(self.seen.nnz if counted else np.sum(self.weights))
        object.__setattr__(self, "total", self.total or total)
        if self.weights is None:
            object.__setattr__(self, "weights", np.ones(self.seen.nnz))

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        n, m = self.seen.shape
        return int(n), int(m)

    @property
    def targets(self) -> Vector:
        """What was seen."""
        return np.asarray(self.seen.data)

    @property
    def penalty(self) -> float:
        """λ: the strength where losses are added, not averaged."""
        return self.strength * self.total

    @property
    def bias_penalty(self) -> float | None:
        """β, likewise."""
        return None if self.bias_strength is None else self.bias_strength * self.total

    @property
    def null(self) -> float:
        """The risk of factors that are all 0."""
        return 0.5 * float(self.weights @ self.targets**2) / self.total

    @cached_property
    def rows(self) -> SeenSide:
        """The entries by rows."""
        X = self.seen
        return self._side(X.indptr, X.indices, np.arange(X.nnz), by_rows=True)

    @cached_property
    def columns(self) -> SeenSide:
        """The entries by columns."""
        n, m = self.shape
        numbers = sparse.csr_array(
            (np.arange(self.seen.nnz), self.seen.indices, self.seen.indptr), (n, m)
        ).tocsc()
        found = (numbers.indptr, numbers.indices, numbers.data)
        return self._side(*found, by_rows=False)

    def _side(self, starts: Any, places: Any, order: Any, *, by_rows: bool) -> SeenSide:
        features = self.row_features if by_rows else self.column_features
        scales = self.row_scales if by_rows else self.column_scales
        size = self.shape[0 if by_rows else 1]
        size += 0 if features is None else features.shape[1]
        scales = np.ones(size) if scales is None else scales
        return SeenSide(starts, places, order, features, scales)

    def width(self, rank: int) -> int:
        """Return how many columns hold a rank, its bias and what fills a block."""
        return -(-(rank + (self.bias_strength is not None)) // BLOCK) * BLOCK

    def ridge(self, rank: int) -> Vector:
        """Return the penalty of each column of factors."""
        made = np.full(self.width(rank), max(self.penalty, 1e-300))
        if self.bias_penalty is not None:
            made[rank] = self.bias_penalty
        return made

    def effective(self, side: SeenSide, factors: Matrix) -> Matrix:
        """Return the rows of T U: free rows, with what features add to them."""
        if side.features is None:
            return factors
        n = side.features.shape[0]
        return np.asarray(factors[:n] + side.features @ factors[n:])

    def facing(self, effective: Matrix, rank: int) -> tuple[Matrix, Vector | None]:
        """Return factors as the other side meets them: 1 for the bias; and the bias."""
        if self.bias_strength is None:
            return effective, None
        faced = effective.copy()
        faced[:, rank] = 1.0
        return faced, effective[:, rank]

    def fitted(self, point: Factors) -> Vector:
        """Return what the factors say of each seen entry."""
        U = self.effective(self.rows, point.rows)
        V = self.effective(self.columns, point.columns)
        side = self.rows
        faced, bias = self.facing(np.ascontiguousarray(V), point.rank)
        said = entry_products(side.starts, side.places, np.ascontiguousarray(U), faced)
        return said if bias is None else said + bias[side.places]

    def value(self, point: Factors) -> float:
        """Return the risk of factors."""
        said = self.fitted(point)
        lost = float(self.weights @ (self.targets - said) ** 2)
        if self.background:
            U, V = (self.effective(*pair) for pair in self._pairs(point))
            unseen = float(np.sum((U.T @ U) * (V.T @ V))) - float(said @ said)
            lost += self.background * max(unseen, 0.0)
        return 0.5 * (lost + self.charged(point)) / self.total

    def charged(self, point: Factors) -> float:
        """Return twice the penalty, where losses are added."""
        ridge = self.ridge(point.rank)
        return sum(
            float(side.scales @ (factors**2 @ ridge))
            for side, factors in self._pairs(point)
        )

    def _pairs(self, point: Factors) -> tuple[tuple[SeenSide, Matrix], ...]:
        return (self.rows, point.rows), (self.columns, point.columns)
