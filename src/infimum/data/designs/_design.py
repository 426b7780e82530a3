"""`Design`: X behind five operations."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from infimum.typing import Indices, Matrix, Vector

__all__ = ["Design", "Judged"]


class Judged(NamedTuple):
    """What one reading of X finds out about a linear function under a loss."""

    scores: Vector
    slopes: Vector
    #: The weighted mean loss.
    empirical: float
    #: Σ q·s·(x, 1) over the samples with positive slopes s, and over the others.
    sides: Matrix


class Design(ABC):
    """X, samples × features, as far as an objective needs to know it.

    A solver that uses only the operations below runs on every kind of X.
    """

    #: Number of samples, number of features.
    shape: tuple[int, int]
    #: The precision the products are computed in.
    dtype: np.dtype[Any]
    #: Whether products with vectors run on our own threads and not on BLAS's.
    pooled: bool

    @abstractmethod
    def scores(self, w: Vector) -> Vector:
        """Return X w, for a vector or for one column of weights per output."""

    @abstractmethod
    def pull_back(self, s: Vector) -> Vector:
        """Return Xᵀ s, for a vector or for one column of slopes per output."""

    @abstractmethod
    def gram(self, s: Vector | None = None) -> Matrix:
        """Return Xᵀ diag(s) X for non-negative s (ones when None), in float64."""

    @abstractmethod
    def columns(self, chosen: Indices) -> Design:
        """Return the design made of the chosen features only, ready for sweeps."""

    @abstractmethod
    def rows(self, chosen: Indices) -> Design:
        """Return the design made of the chosen samples only."""

    @abstractmethod
    def squared_norms(self, s: Vector | None = None) -> Vector:
        """Return Σᵢ sᵢ·xᵢⱼ² for each feature j, in float64."""

    @abstractmethod
    def toarray(self) -> Matrix:
        """Return X as a dense array; only for designs known to be small."""

    def cross(self, other: Design, s: Vector) -> Matrix:
        """Return Xᵀ diag(s) Z for another design Z of the same samples, in float64."""
        scaled = (other.toarray().T * s).T
        return np.asarray(self.pull_back(scaled), dtype=np.float64)

    def reach(self, s: Vector, lengths: Vector | None = None) -> Vector:
        """Return the weighted length of each column as the products meet it, at most.

        The rounding of ``Xᵀ(s∘t)`` is a share of it times √(Σ sᵢtᵢ²); a column that is
        shifted on the fly has its own length and that of the shift, twice. `lengths`
        are √(Σ sᵢxᵢⱼ²), if they are known.
        """
        if lengths is not None:
            return lengths
        return np.sqrt(np.maximum(self.squared_norms(s), 0.0))

    @property
    def depth(self) -> int:
        """How many terms a pull-back adds one after another, at most."""
        return self.shape[0]

    def in_double(self) -> Design:
        """Return the same design with products in double precision."""
        return self

    def as_given(self) -> Design:
        """Return the samples as they came in, before any shift or scale."""
        return self

    def single(self) -> Design:
        """Return a copy in single precision where that is faster; else the design."""
        return self

    def judge(
        self, point: Vector, y: Vector, shares: Vector, loss: tuple[str, float]
    ) -> Judged | None:
        """Do ``X w``, a loss known by name and its pull-back in one reading of X.

        None when this design has no loop for that; see `infimum.compiled.judge_rows`.
        """
        return None

    def row_blocks(self, size: int) -> Iterator[tuple[slice, Design]]:
        """Yield consecutive blocks of at most `size` samples."""
        n = self.shape[0]
        for start in range(0, n, size):
            block = slice(start, min(start + size, n))
            yield block, self.rows(np.arange(block.start, block.stop))
