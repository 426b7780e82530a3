"""A table that is almost all zeros: samples as the rows of a sparse matrix."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from infimum.data.canonical import canonical
from infimum.data.rows import row_positions
from infimum.errors import DataError
from infimum.typing import Indices

__all__ = ["SparseTable", "from_matrix"]


@dataclass(frozen=True, eq=False)
class SparseTable:
    """Samples as the rows of a sparse matrix, with their targets if known.

    Features have no names but their position; all of them are numeric, none is
    missing, and what is not stored is zero.

    Attributes
    ----------
    matrix : scipy.sparse.csr_array
        Samples × features, float64 or float32, indices sorted, no duplicates.
    target : ndarray or None
        One label or number per row.
    source : str
        The file's name, or the type of the object that was read.
    warnings : tuple of str
        What a careful reader should know before learning from this table.
    groups : ndarray or None
        The query that each row belongs to, for ranking data (``qid``).
    """

    matrix: sparse.csr_array
    target: NDArray[Any] | None
    source: str
    warnings: tuple[str, ...] = ()
    groups: NDArray[Any] | None = None

    def __len__(self) -> int:
        return int(self.matrix.shape[0])

    @property
    def density(self) -> float:
        """The share of entries that are stored."""
        rows, columns = self.matrix.shape
        return float(self.matrix.nnz) / (rows * columns)

    def rows(self, indices: Sequence[int] | Indices) -> "SparseTable":
        """Return the given rows as a table, with the same features."""
        chosen = row_positions(indices, len(self), self.source)
        return SparseTable(
            self.matrix[chosen],
            None if self.target is None else self.target[chosen],
            self.source,
            self.warnings,
            None if self.groups is None else self.groups[chosen],
        )

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 of shape, entries and targets."""
        digest = hashlib.sha256(repr(self.matrix.shape).encode())
        digest.update(self.matrix.indptr.astype("<i8").tobytes())
        digest.update(self.matrix.indices.astype("<i8").tobytes())
        digest.update(self.matrix.data.astype("<f8").tobytes())
        for extra in (self.target, self.groups):
            digest.update(b"" if extra is None else _as_bytes(extra))
        return digest.hexdigest()


def _as_bytes(labels: NDArray[Any]) -> bytes:
    if labels.dtype.kind in "biuf":
        return labels.astype("<f8").tobytes()
    return repr(labels.tolist()).encode()


def from_matrix(
    matrix: Any, source: str, *, target: ArrayLike | None = None
) -> SparseTable:
    """Return any SciPy sparse matrix as a table; refuse what cannot be learned from."""
    if np.issubdtype(matrix.dtype, np.complexfloating):
        raise DataError(f"{source} holds complex numbers; give real ones.")
    if len(matrix.shape) != 2 or 0 in matrix.shape:  # noqa: PLR2004
        raise DataError(f"{source} of shape {matrix.shape} has no rows or no columns.")
    real = matrix.dtype if matrix.dtype in (np.float32, np.float64) else np.float64
    rows = sparse.csr_array(canonical(matrix), dtype=real)
    unusable = np.flatnonzero(~np.isfinite(rows.data))
    if len(unusable):
        row = int(np.searchsorted(rows.indptr, unusable[0], side="right"))
        raise DataError(
            f"{source} holds {rows.data[unusable[0]]} in row {row}; "
            "a sparse table admits finite numbers only."
        )
    return SparseTable(rows, _as_target(target, source, len(rows.indptr) - 1), source)


def _as_target(target: ArrayLike | None, source: str, n: int) -> NDArray[Any] | None:
    if target is None:
        return None
    labels = np.asarray(target)
    if labels.shape != (n,):
        raise DataError(
            f"{source} has {n} rows, so its target needs shape ({n},), "
            f"got {labels.shape}."
        )
    return labels
