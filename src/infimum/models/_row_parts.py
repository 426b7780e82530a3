"""Answers for many rows: by all cores, in blocks that stay in the cache."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from infimum.compiled.threads import in_parts, one_blas_thread

__all__ = ["in_row_parts"]

#: So many numbers of the widest layer make a block, and so many blocks are many rows.
BLOCK, MANY = 1 << 16, 4


def in_row_parts(
    X: Any, width: int, columns: int, work: Callable[[Any], NDArray[Any]], dtype: Any
) -> NDArray[Any]:
    """Return what `work` makes of the rows of a dense table, which may be many.

    Parameters
    ----------
    X : array or sparse matrix of shape (n_samples, n_features)
        Sparse rows are worked on at once.
    width, columns : int
        The most numbers that a row becomes on its way, and those at its end.
    work : callable
        What is done with some of the rows.
    dtype : dtype
        Of the answers.
    """
    n, size = X.shape[0], max(1, BLOCK // width)
    if not isinstance(X, np.ndarray) or n <= MANY * size:
        return work(X)
    found = np.empty((n, columns), dtype=dtype)

    def answer(part: slice) -> None:
        for start in range(part.start, part.stop, size):
            here = slice(start, min(start + size, part.stop))
            found[here] = work(X[here])

    with one_blas_thread():
        in_parts(n, answer)
    return found
