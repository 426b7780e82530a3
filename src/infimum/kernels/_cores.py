"""Work in pieces on all cores, with the same result on any number of them."""

import threading
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from infimum.typing import Matrix

__all__ = ["even_pieces", "pieces_of", "scratch", "share"]

_own = threading.local()
#: Handing out work takes as long as a small piece; more parts than this gain nothing.
MOST_PARTS = 32


def share(work: Callable[[Any], None], pieces: Sequence[Any]) -> None:
    """Do `work` on every piece; the pieces are given, so no result depends on cores.

    The work must release the interpreter's lock to gain anything: NumPy's products and
    our compiled loops do. BLAS keeps to one thread a piece.
    """
    from infimum.compiled.threads import in_parts, one_blas_thread

    def some(part: slice) -> None:
        for piece in pieces[part]:
            work(piece)

    if len(pieces) <= 1:
        some(slice(None))
        return
    with one_blas_thread():
        in_parts(len(pieces), some, min(len(pieces), MOST_PARTS))


def pieces_of(count: int, size: int) -> list[slice]:
    """Return consecutive slices of at most `size` that cover `count` places."""
    return [slice(a, min(count, a + size)) for a in range(0, count, size)]


def even_pieces(count: int, size: int) -> list[slice]:
    """Return as many slices as `pieces_of`, all of nearly one length."""
    parts = -(-count // size)
    cuts = [part * count // parts for part in range(parts + 1)] if parts else []
    return [slice(a, b) for a, b in pairwise(cuts)]


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
