"""Rows of a design as compiled loops read them: dense, or compressed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from infimum.data.designs import Design, SparseDesign, StandardizedDesign
from infimum.typing import Vector

__all__ = ["RowLayout"]


@dataclass(frozen=True, eq=False)
class RowLayout:
    """A design by its samples; `parts` are the leading arguments of a loop."""

    sparse: bool
    parts: tuple[Any, ...]
    #: The squared length of each row.
    lengths: Vector
    #: For each feature samples / samples that have it, at least 1.
    rarity: Vector

    @classmethod
    def of(cls, design: Design) -> RowLayout:
        """Lay out the rows; a standardised design is written out."""
        n, d = design.shape
        if isinstance(design, SparseDesign):
            form = design.by_row
            parts = form.indptr, form.indices, form.data
            squares = np.asarray(form.power(2).sum(axis=1), dtype=np.float64).ravel()
            seen = np.bincount(form.indices, minlength=d)
            return cls(True, parts, squares, n / np.maximum(seen, 1))
        X = np.ascontiguousarray(design.toarray())
        if isinstance(design, StandardizedDesign):
            X = X.astype(design.dtype, copy=False)
        lengths = np.einsum("ij,ij->i", X, X, dtype=np.float64)
        return cls(False, (X,), lengths, np.ones(d))
