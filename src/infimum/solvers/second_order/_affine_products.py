"""Products with (X, 1): by a table of its own where the design is small."""

from __future__ import annotations

import numpy as np

from infimum.data.designs import SparseDesign
from infimum.objectives import LinearRisk
from infimum.typing import Matrix, Vector

__all__ = ["AffineProducts"]

#: Entries of a table that is worth writing out: 32 MiB.
SMALL = 2**22
#: A sparse design is left as it is if so few of its entries are not 0, under one score
#: and under several: its own products are faster then.
FEW, VERY_FEW = 0.1, 0.01
#: Rows of no weight are left out of a product if so large a share has none.
IDLE = 0.25


class AffineProducts:
    """What Newton's method asks of a design with its intercept, a matrix (X, 1).

    A small one is written out, unless it is very sparse: a sparse or shifted design has
    no fast product with the signed weights that several scores give to pairs of them,
    and near a minimum most samples have none.
    """

    def __init__(self, risk: LinearRisk) -> None:
        self.design, self.ones = risk.design, float(risk.intercept)
        n, d = risk.design.shape
        self.table: Matrix | None = None
        if n * (d + 1) <= SMALL and not _is_better_sparse(risk):
            X = np.asarray(risk.design.toarray(), dtype=np.float64)
            self.table = np.column_stack([X, np.full(n, self.ones)])

    def scores(self, point: Matrix) -> Matrix:
        """Return X w + b, one column for each column of the point."""
        if self.table is not None:
            return np.asarray(self.table @ point)
        scores = np.asarray(self.design.scores(point[:-1]), dtype=np.float64)
        return np.asarray(scores + self.ones * point[-1])

    def pull_back(self, slopes: Matrix) -> Matrix:
        """Return (X, 1)ᵀ s, one column for each column of the slopes."""
        if self.table is not None:
            return np.asarray(self.table.T @ slopes)
        pulled = np.asarray(self.design.pull_back(slopes), dtype=np.float64)
        return np.concatenate([pulled, self.ones * slopes.sum(axis=0, keepdims=True)])

    def gram(self, bends: Vector) -> Matrix:
        """Return (X, 1)ᵀ diag(bends) (X, 1); the bends may have any sign."""
        if self.table is None:
            return self._gram_of_design(bends)
        table, used = self.table, np.flatnonzero(bends)
        if len(used) <= (1.0 - IDLE) * len(bends):
            table, bends = table[used], bends[used]
        return np.asarray(table.T @ (bends[:, None] * table))

    def _gram_of_design(self, bends: Vector) -> Matrix:
        design, d = self.design, self.design.shape[1]
        block = np.zeros((d + 1, d + 1))
        block[:d, :d] = design.gram(np.maximum(bends, 0.0))
        if np.any(bends < 0.0):
            block[:d, :d] -= design.gram(np.maximum(-bends, 0.0))
        if self.ones:
            block[:d, d] = block[d, :d] = design.pull_back(bends)
            block[d, d] = bends.sum()
        return block


def _is_better_sparse(risk: LinearRisk) -> bool:
    if not isinstance(risk.design, SparseDesign):
        return False
    few = FEW if risk.origin().ndim == 1 else VERY_FEW
    return bool(risk.design.X.nnz < few * np.prod(risk.design.shape))
