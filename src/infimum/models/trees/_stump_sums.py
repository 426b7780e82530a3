"""Sums of stumps at new samples, in one compiled pass."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from infimum.compiled.threads import in_parts
from infimum.compiled.trees.tree_stump_sums import sum_stumps
from infimum.errors import DataError
from infimum.typing import Indices, Mask, Matrix, Vector

__all__ = ["StumpSum"]

#: Rows of a sparse table that are filled at a time, only in the features asked for.
BLOCK = 8192


@dataclass(frozen=True, eq=False)
class StumpSum:
    """Stumps laid out for prediction: ``values[t, side]`` is what stump t adds."""

    features: Indices
    thresholds: Vector
    missing_left: Mask
    values: Any

    @classmethod
    def of(cls, stumps: Sequence[Any], values: Sequence[Matrix]) -> StumpSum:
        """Lay out fitted stumps, with what each adds on the left and on the right."""
        return cls(
            np.array([stump.feature_ for stump in stumps], dtype=np.int64),
            np.array([stump.threshold_ for stump in stumps], dtype=np.float64),
            np.array([stump.missing_left_ for stump in stumps], dtype=np.bool_),
            np.ascontiguousarray(values, dtype=np.float64),
        )

    def at(self, X: Any) -> Matrix:
        """Return the sums at admitted samples, one row each."""
        used, places = np.unique(self.features[self.features >= 0], return_inverse=True)
        if len(used) and used[-1] >= X.shape[1]:
            raise DataError(
                f"A stump asks for feature {used[-1]}, the samples have {X.shape[1]}."
            )
        features = self.features.copy()
        features[features >= 0] = places
        out = np.zeros((X.shape[0], self.values.shape[2]))
        table = X.tocsr()[:, used] if hasattr(X, "tocsr") else X
        if table is X:
            features = self.features

        def add(rows: slice) -> None:
            block = table[rows]
            dense = block.toarray() if hasattr(block, "toarray") else block
            sum_stumps(
                dense,
                features,
                self.thresholds,
                self.missing_left,
                self.values,
                out[rows],
            )

        in_parts(len(out), add, max(1, len(out) // BLOCK))
        return out
