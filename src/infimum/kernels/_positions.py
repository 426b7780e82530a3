"""Things that are known by their place in a list."""

from typing import Any

import numpy as np

from infimum.errors import DataError
from infimum.typing import Indices

__all__ = ["accept_positions"]


def accept_positions(X: Any, count: int, owner: str, what: str) -> Indices:
    """Admit whole numbers from 0 to count - 1, in whatever shape."""
    given = np.asarray(X)
    if given.size == 0:
        return np.zeros(0, dtype=np.intp)
    if given.dtype.kind in "fiub":
        with np.errstate(invalid="ignore"):  # NaN becomes some number, not itself
            found = given.astype(np.intp).ravel()
        if not ((found != given.ravel()) | (found < 0) | (found >= count)).any():
            return found
    raise DataError(f"{owner} expects {what} as whole numbers from 0 to {count - 1}.")
