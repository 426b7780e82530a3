"""Sample weights as numbers of copies."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from infimum.typing import Vector

__all__ = ["copies_of"]

#: Beyond this, sums of copies would not be exact.
MOST = 2.0**53


def copies_of(weights: Vector) -> NDArray[np.int64] | None:
    """Return how many copies of each row weights mean; None if they count nothing.

    Weights count copies if all are whole numbers, and not more than anybody counts.

    Examples
    --------
    >>> copies_of(np.array([2.0, 0.0, 1.0]))
    array([2, 0, 1])
    >>> copies_of(np.array([0.5, 1.0])) is None
    True
    """
    whole = bool((weights == np.floor(weights)).all())
    return weights.astype(np.int64) if whole and weights.sum() < MOST else None
