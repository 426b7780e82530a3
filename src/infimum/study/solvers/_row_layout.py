"""Rows of a design as compiled loops read them: dense, or compressed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from infimum.data.designs import Design, SparseDesign, StandardizedDesign
from infimum.typing import Vector

if TYPE_CHECKING:
    from infimum.compiled.rows import Rows

__all__ = ["RowLayout"]


@dataclass(frozen=True, eq=False)
class RowLayout:
    """A design by its samples."""

    rows: Rows
    #: The squared length of each row.
    lengths: Vector
    #: For each feature samples / samples that have it, at least 1.
    rarity: Vector

    @classmethod
    def of(cls, design: Design) -> RowLayout:
        """Lay out the rows; a standardised design is written out."""
        from infimum.compiled.rows import rows_of  # late: it loads numba

        n, d = design.shape
        if isinstance(design, SparseDesign):
            form = design.by_row
            squares = np.asarray(form.power(2).sum(axis=1), dtype=np.float64).ravel()
            seen = np.bincount(form.indices, minlength=d)
            return cls(rows_of(form), squares, n / np.maximum(seen, 1))
        X = np.ascontiguousarray(design.toarray())
        if isinstance(design, StandardizedDesign):
            X = X.astype(design.dtype, copy=False)
        lengths = np.einsum("ij,ij->i", X, X, dtype=np.float64)
        return cls(rows_of(X), lengths, np.ones(d))
