"""How things enter a kernel machine: rows of a table, or a collection of anything."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import (
    check_array,
    check_consistent_length,
    check_is_fitted,
    column_or_1d,
)

from infimum.data.validation import (
    accept_labelled,
    accept_measured,
    accept_samples,
    accept_table,
    refuse_huge,
)
from infimum.errors import DataError
from infimum.kernels import (
    Centered,
    Conditioned,
    ConicCombination,
    Exponentiated,
    Kernel,
    Normalized,
    Power,
    Product,
    Reweighted,
    Scaled,
    Sum,
    named_kernel,
)
from infimum.kernels.vectors import VectorKernel
from infimum.typing import Matrix, Vector

__all__ = [
    "admit_labelled",
    "admit_measured",
    "admit_things",
    "admit_unlabelled",
    "are_things",
    "check_same",
    "check_square",
    "compare",
    "expand",
    "gram_of",
    "is_precomputed",
    "kernel_of",
    "select",
]

#: Entries of a block of kernel values held at a time when predicting: 128 MiB.
BLOCK = 2**24
TABLE = 2
#: Kernels that hand their things on to those that they are made of.
SAME_THINGS = (
    Centered, Conditioned, ConicCombination, Exponentiated, Normalized, Power, Product,
    Reweighted, Scaled, Sum,
)  # fmt: skip


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


def admit_labelled(machine: Any, X: Any, y: Any) -> tuple[Any, NDArray[np.intp]]:
    """Admit things with class labels; record the sorted labels on the machine."""
    if not are_things(machine, X):
        X, codes = accept_labelled(machine, X, y)
        refuse_huge(machine, X)
        return _square(machine, X), codes
    things = _listed(machine, X)
    check_consistent_length(things, y)
    labels = column_or_1d(y)
    check_classification_targets(labels)
    classes, codes = np.unique(labels, return_inverse=True)
    if len(classes) == 1:
        raise DataError(
            f"{type(machine).__name__} needs 2 classes or more, got 1 class: "
            f"{classes[0]!r}."
        )
    machine.classes_ = classes
    return things, codes


def admit_measured(
    machine: Any, X: Any, y: Any, *, multi_output: bool = False
) -> tuple[Any, Vector]:
    """Admit things with real-valued targets, several each if allowed."""
    if not are_things(machine, X):
        X, y = accept_measured(machine, X, y, multi_output=multi_output)
        refuse_huge(machine, X, y)
        return _square(machine, X), y
    things = _listed(machine, X)
    targets = check_array(y, ensure_2d=False, dtype=np.float64)
    if not multi_output:
        targets = column_or_1d(targets)
    check_consistent_length(things, targets)
    return things, targets


def admit_unlabelled(machine: Any, X: Any) -> Any:
    """Admit things without targets."""
    if are_things(machine, X):
        return _listed(machine, X)
    kinds = [np.float64, np.float32]
    X = accept_table(machine, X, dtype=kinds, accept_sparse=["csr", "csc"])
    return _square(machine, X)


def admit_things(machine: Any, X: Any) -> Any:
    """Admit new things for a fitted machine, of the kind it was fitted on."""
    check_is_fitted(machine)
    if are_things(machine, X):
        return list(X)
    X = accept_samples(machine, X)
    refuse_huge(machine, X)
    return _dense(X) if is_precomputed(machine) else _rows(X)


def check_same(machine: Any, X: Any) -> None:
    """Refuse things that are not those a machine was fitted on.

    Its coefficients belong to those: with others they are another function.
    """
    things, known = admit_things(machine, X), machine.X_fit_
    if known is None:
        return
    same = _count(things) == _count(known)
    if same and isinstance(known, np.ndarray):
        same = np.array_equal(things, known)
    elif same and _is_sparse(known):
        rows: Any = sparse.csr_array(things)
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


def are_things(machine: Any, X: Any) -> bool:
    """Tell whether X is a collection of things rather than a table of numbers.

    Only kernels that are not on vectors read such; they may still be given a table, as
    a function of two samples is.
    """
    kernel = machine.kernel
    if isinstance(kernel, str) or _on_vectors(kernel) or _is_sparse(X):
        return False
    if hasattr(X, "columns") or not (isinstance(kernel, Kernel) or callable(kernel)):
        return False
    if hasattr(X, "__array__"):
        array = np.asarray(X)
        return array.dtype.kind not in "fiub" or array.ndim != TABLE
    if isinstance(kernel, Kernel):
        return True
    return not isinstance(next(iter(X), ()), list | tuple | np.ndarray)


def _on_vectors(kernel: Any) -> bool:
    """Tell whether a kernel, or one that it is made of, reads rows of a table."""
    if isinstance(kernel, VectorKernel) or not isinstance(kernel, SAME_THINGS):
        return isinstance(kernel, VectorKernel)
    inner = getattr(kernel, "parts", None) or (getattr(kernel, "kernel", None),)
    return any(map(_on_vectors, inner))


def _listed(machine: Any, X: Any) -> list[Any]:
    things = list(X)
    if not things:
        raise DataError(f"{type(machine).__name__} needs things to learn from, got 0.")
    return things


def _square(machine: Any, X: Any) -> Any:
    """Return admitted samples ready for kernels; a kernel matrix must be square."""
    if not is_precomputed(machine):
        return _rows(X)
    check_square(machine, X)
    return _dense(X)


def check_square(machine: Any, X: Any) -> None:
    """Refuse kernel values that are not those of some samples with each other."""
    if X.shape[0] != X.shape[1]:
        raise DataError(
            f"{type(machine).__name__} reads a precomputed kernel, which must be a "
            f"square matrix, got shape {X.shape}."
        )


def _is_sparse(X: Any) -> bool:
    return bool(sparse.issparse(X))


def _rows(X: Any) -> Any:
    return sparse.csr_array(X) if _is_sparse(X) else X


def _dense(X: Any) -> Matrix:
    return np.asarray(X.toarray() if _is_sparse(X) else X)


def _count(X: Any) -> int:
    return int(X.shape[0]) if hasattr(X, "shape") else len(X)
