"""Sparse matrices as the arrays they are made of, checked when they are put together.

SciPy's compiled loops trust the index arrays: an index out of range would be a read or
a write out of range. Hence the full check of every matrix that comes from a file.
"""

from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from infimum.persistence.malformed import Malformed, quote

__all__ = ["PARTS", "assemble", "take_apart"]

#: The arrays that make each admitted format.
PARTS = {
    "csr": ("data", "indices", "indptr"),
    "csc": ("data", "indices", "indptr"),
    "coo": ("data", "row", "col"),
}
CLASSES: dict[str, Any] = {
    f"{form}_{kind}": getattr(sp, f"{form}_{kind}")
    for form in PARTS
    for kind in ("matrix", "array")
}


def take_apart(matrix: Any) -> tuple[str, list[NDArray[Any]]] | None:
    """Return class name and arrays of `matrix`; None when its format is not carried."""
    name = type(matrix).__name__
    if CLASSES.get(name) is not type(matrix) or matrix.ndim != 2:  # noqa: PLR2004
        return None
    return name, [getattr(matrix, part) for part in PARTS[matrix.format]]


def assemble(name: str, shape: tuple[int, int], parts: list[NDArray[Any]]) -> Any:
    """Put a sparse matrix together again; refuse indices that lead out of it."""
    if name not in CLASSES:
        raise Malformed(f"the sparse format {quote(name)} is not admitted")
    data, first, second = parts
    if data.dtype.kind not in "biufc" or {first.dtype.kind, second.dtype.kind} != {"i"}:
        raise Malformed("a sparse matrix has parts of a wrong data type")
    compressed = not name.startswith("coo")
    if compressed and not _leads_through(data, first, second):
        raise Malformed("a sparse matrix has indices that lead out of it")
    content = (data, first, second) if compressed else (data, (first, second))
    try:
        matrix = CLASSES[name](content, shape=shape)
        if compressed:
            matrix.check_format(full_check=True)
    except (ValueError, OverflowError, IndexError):
        raise Malformed("a sparse matrix has indices that lead out of it") from None
    return matrix


def _leads_through(data: NDArray[Any], places: NDArray[Any], starts: Any) -> bool:
    """Tell whether rows begin one after another and end where the data ends.

    SciPy looks no further where the last row ends at 0.
    """
    if {data.ndim, places.ndim, starts.ndim} != {1} or not len(starts):
        return False
    ends = starts.astype(np.int64)
    rising = ends[0] == 0 and bool((ends[1:] >= ends[:-1]).all())
    return rising and int(ends[-1]) == len(data) == len(places)
