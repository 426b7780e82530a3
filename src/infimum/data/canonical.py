"""A compressed matrix in its one plain form: each place once, in order."""

from typing import Any

import numpy as np
from scipy import sparse
from sklearn import get_config

__all__ = ["canonical", "given_out"]

#: Positions below this are written with 32 bits.
NARROW = 2**31


def canonical(X: Any) -> Any:
    """Return a compressed matrix with one entry for each place, in order.

    Entries given several times are added up, which is what they mean; positions are
    written with 32 bits where these suffice. What the user gave stays as it is, and
    anything that is not compressed is returned unchanged.

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> twice = csr_array(([1.0, 2.0, 4.0], [1, 0, 1], [0, 3]), shape=(1, 2))
    >>> canonical(twice).data, twice.data
    (array([2., 5.]), array([1., 2., 4.]))
    """
    if not _is_compressed(X):
        return X
    narrow = max(X.nnz, *X.shape) < NARROW
    if narrow and X.indices.dtype.itemsize > 4:  # noqa: PLR2004
        places = X.indices.astype(np.int32), X.indptr.astype(np.int32)
        X = type(X)((X.data, *places), shape=X.shape)
    if not X.has_canonical_format:
        X = X.copy()
        X.sum_duplicates()
    return X


def given_out(X: Any) -> Any:
    """Return a table for users: sparse ones of the kind that scikit-learn is set to.

    Matrices by default, arrays where ``sparse_interface`` is "sparray".

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> type(given_out(csr_array([[1.0, 0.0]]))).__name__
    'csr_matrix'
    """
    if not sparse.issparse(X):
        return X
    kind = "array" if get_config()["sparse_interface"] == "sparray" else "matrix"
    table: Any = X
    return getattr(sparse, f"{table.format}_{kind}")(table)


def _is_compressed(X: Any) -> bool:
    return bool(sparse.issparse(X)) and X.format in ("csr", "csc")
