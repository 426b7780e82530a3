"""The kernel of a machine, its values among admitted things, and sums of them."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from infimum.data.doors import things
from infimum.data.doors.thing_lists import are_things as listed
from infimum.errors import DataError
from infimum.kernels import Kernel, named_kernel
from infimum.typing import Matrix

__all__ = [
    "are_things",
    "check_same",
    "compare",
    "expand",
    "gram_of",
    "is_precomputed",
    "kernel_of",
    "select",
]

#: Entries of a block of kernel values held at a time when predicting: 128 MiB.
BLOCK = 2**24


def is_precomputed(machine: Any) -> bool:
    """Tell whether a machine is given kernel values instead of samples."""
    return isinstance(machine.kernel, str) and machine.kernel == "precomputed"


def kernel_of(machine: Any) -> Kernel | None:
    """Return the kernel that the parameters of a machine name; None: precomputed."""
    if is_precomputed(machine):
        return None
    named = {
        name: getattr(machine, name, None) for name in ("gamma", "coef0", "degree")
    }
    if callable(machine.kernel) and not isinstance(machine.kernel, Kernel):
        named = dict(getattr(machine, "kernel_params", None) or {})
    features = getattr(machine, "n_features_in_", 1)
    return named_kernel(type(machine).__name__, machine.kernel, features, named)


def are_things(machine: Any, X: Any) -> bool:
    """Tell whether X is a collection of things rather than a table of numbers."""
    return listed(machine.kernel, X)


def check_same(machine: Any, X: Any) -> None:
    """Refuse things that are not those a machine was fitted on.

    Its coefficients belong to those: with others they are another function.
    """
    given, known = things(machine, X, reset=False).X, machine.X_fit_
    if known is None:
        return
    same = _count(given) == _count(known)
    if same and isinstance(known, np.ndarray):
        same = np.array_equal(given, known)
    elif same and _is_sparse(known):
        rows: Any = sparse.csr_array(given)
        same = rows.shape == known.shape and not (rows != sparse.csr_array(known)).nnz
    if not same:
        raise DataError(
            f"{type(machine).__name__} can be certified on the samples it was fitted "
            "on, these are others."
        )


def gram_of(machine: Any, X: Any) -> Matrix:
    """Return the kernel values of admitted things among themselves, in float64."""
    kernel = kernel_of(machine)
    if kernel is None:
        return np.asarray(X, dtype=np.float64)
    if hasattr(X, "dtype") and X.dtype == np.float32:
        X = X.astype(np.float64)  # float32 values need not be positive semi-definite
    return np.asarray(kernel(X), dtype=np.float64)


def compare(machine: Any, X: Any, known: Any) -> Matrix:
    """Return the kernel values of admitted things with the known ones."""
    kernel = kernel_of(machine)
    return np.asarray(X if kernel is None else kernel(X, known))


def expand(machine: Any, X: Any, known: Any, coefficients: Matrix) -> Matrix:
    """Return Σᵢ cᵢ k(x, xᵢ) for each admitted x, block by block."""
    count = _count(X)
    size = max(1, BLOCK // max(1, len(coefficients)))
    out = np.empty((count, *coefficients.shape[1:]))
    for start in range(0, count, size):
        block = slice(start, min(count, start + size))
        out[block] = compare(machine, X[block], known) @ coefficients
    return out


def select(X: Any, rows: Any) -> Any:
    """Return some things of a collection, by their positions."""
    return X[rows] if hasattr(X, "shape") else [X[i] for i in rows]


def _is_sparse(X: Any) -> bool:
    return bool(sparse.issparse(X))


def _count(X: Any) -> int:
    return int(X.shape[0]) if hasattr(X, "shape") else len(X)
