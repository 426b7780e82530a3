"""Which rows are meant: positions, counted from either end, or a mask."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from infimum.errors import DataError
from infimum.typing import Indices

__all__ = ["row_positions"]


def row_positions(
    rows: Sequence[int] | Indices | NDArray[np.bool_], n: int, source: str
) -> NDArray[np.int64]:
    """Return positions among `n` rows; DataError for rows that do not exist."""
    chosen = np.asarray(rows)
    if chosen.dtype == bool:
        if chosen.shape != (n,):
            raise DataError(
                f"{source} has {n} rows, so a mask needs shape ({n},), "
                f"got {chosen.shape}."
            )
        return np.flatnonzero(chosen)
    if chosen.ndim != 1 or (chosen.size and chosen.dtype.kind not in "iu"):
        raise DataError(f"Rows of {source} are asked for by a list of whole numbers.")
    outside = chosen[(chosen < -n) | (chosen >= n)]
    if len(outside):
        raise DataError(
            f"{source} has rows 0 to {n - 1}, row {outside[0]} was asked for."
        )
    return chosen.astype(np.int64)
