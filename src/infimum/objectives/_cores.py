"""Work in pieces on all cores, with the same result on any number of them."""

import threading
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from infimum.typing import Matrix

__all__ = ["pieces_of", "scratch", "share"]

_own = threading.local()


def share(work: Callable[[Any], None], pieces: Sequence[Any]) -> None:
    """Do `work` on every piece; the pieces are given, so no result depends on cores.

    The work must release the interpreter's lock to gain anything: NumPy's products and
    our compiled loops do. BLAS keeps to one thread a piece.
    """
    from infimum.compiled import in_parts, one_blas_thread

    def some(part: slice) -> None:
        for piece in pieces[part]:
            work(piece)

    if len(pieces) <= 1:
        some(slice(None))
        return
    with one_blas_thread():
        in_parts(len(pieces), some, len(pieces))


def pieces_of(count: int, size: int) -> list[slice]:
    """Return consecutive slices of at most `size` that cover `count` places."""
    return [slice(a, min(count, a + size)) for a in range(0, count, size)]


def scratch(rows: int, columns: int, dtype: Any) -> Matrix:
    """Return a matrix of this thread's own, whose content is anything.

    Fresh memory would be cleared by the system on every call, which takes as long as
    the arithmetic that fills it.
    """
    size = rows * columns
    kept = getattr(_own, np.dtype(dtype).name, None)
    if kept is None or kept.size < size:
        kept = np.empty(size, dtype=dtype)
        setattr(_own, kept.dtype.name, kept)
    flat: Matrix = kept[:size]
    return flat.reshape(rows, columns)
