"""From samples to the weights of a graph, as spectral methods name them."""

import warnings
from collections.abc import Iterator
from inspect import signature
from itertools import pairwise
from typing import Any

import numpy as np
from scipy import sparse

from infimum.data.doors import rows
from infimum.errors import DataError, IncompatibleError, InvalidParameterError
from infimum.kernels import Kernel, named_kernel
from infimum.models.graph._weights import (
    accept_weights,
    both_ways,
    looks_like_distances,
)
from infimum.models.neighbors import NearestNeighbors
from infimum.parameters import check_domain, whole
from infimum.typing import Indices, Matrix

__all__ = [
    "admit",
    "affinity",
    "affinity_to",
    "coinciding",
    "is_given",
    "n_neighbors_of",
    "squared",
    "without_loops",
]

#: Weights of which more than this share are positive are kept in a full matrix.
FULL = 0.25
GIVEN = ("precomputed", "precomputed_nearest_neighbors")


def is_given(model: Any) -> bool:
    """Tell whether a model reads weights or distances instead of samples."""
    return isinstance(model.affinity, str) and model.affinity in GIVEN


def admit(model: Any, given: Any, *, reset: bool = True) -> Any:
    """Admit samples, in float64; weights and distances must form a square."""
    rule: Any = {"dtype": np.float64, "accept_sparse": ["csr"], "moderate": True}
    X: Any = rows(model, given, reset=reset, **rule).X
    return squared(model, X) if reset else _canonical(X)


def squared(model: Any, X: Any) -> Any:
    """Return what was read for a fit; weights and distances must form a square."""
    if is_given(model) and X.shape[0] != X.shape[1]:
        raise DataError(
            f"{type(model).__name__} with affinity={model.affinity!r} reads a square "
            f"matrix, got shape {X.shape}."
        )
    return _canonical(X)


def _canonical(X: Any) -> Any:
    return X if isinstance(X, np.ndarray) else sparse.csr_array(X)


def affinity(model: Any, X: Any) -> Any:
    """Return the weights of admitted samples among themselves, sparse or dense."""
    owner = type(model).__name__
    if model.affinity == "precomputed":
        if looks_like_distances(X):
            warnings.warn(
                f"{owner}: the precomputed affinities look like distances; "
                "similarities are large for what is near.",
                UserWarning,
                stacklevel=4,
            )
        weights = accept_weights(owner, both_ways(owner, X))
        many = weights.nnz > FULL * weights.shape[0] ** 2
        return np.asarray(weights.toarray()) if many else weights
    if model.affinity in {"nearest_neighbors", "precomputed_nearest_neighbors"}:
        near = _neighbors(model, X, X, alone=True)
        return sparse.csr_array(0.5 * (near + near.T))
    return _kernel_values(model, X, X)


def affinity_to(model: Any, X: Any, known: Any) -> Any:
    """Return the weights between admitted new samples and the known ones."""
    if model.affinity == "precomputed":
        return X
    if model.affinity in {"nearest_neighbors", "precomputed_nearest_neighbors"}:
        return _neighbors(model, X, known, alone=False)
    return _kernel_values(model, X, known)


def without_loops(weights: Any) -> Any:
    """Return weights between different samples only.

    How alike a sample is to itself says nothing about clusters; it would slow the
    random walk down.
    """
    if isinstance(weights, np.ndarray):
        bare = weights.copy()
        np.fill_diagonal(bare, 0.0)
        return bare
    entries = sparse.coo_array(weights)
    one, other = entries.coords
    kept = one != other
    pairs = (one[kept], other[kept])
    return sparse.csr_array((entries.data[kept], pairs), shape=weights.shape)


def coinciding(model: Any, X: Any) -> tuple[Indices, Indices]:
    """Return which new samples are samples of the fit, and which of them they are.

    Rows of weights are known again if they are equal, the weight to itself included;
    rows of distances by a distance of 0, which a sparse row must hold explicitly.
    """
    if model.affinity == "precomputed":
        owners = {key: i for i, key in reversed(list(_keys(model.affinity_matrix_)))}
        found = [(i, owners[key]) for i, key in _keys(X) if key in owners]
        pairs = np.array(found, dtype=np.intp).reshape(-1, 2)
        return pairs[:, 0], pairs[:, 1]
    if is_given(model):
        far = _filled(X, alone=False) if sparse.issparse(X) else X
        same = np.flatnonzero((far == 0).any(axis=1))
        return same, np.argmin(far[same], axis=1)
    near, nearest = NearestNeighbors().fit(model._known).kneighbors(X, 1)
    same = np.flatnonzero(near[:, 0] == 0)
    return same, nearest[same, 0]


def _keys(weights: Any) -> Iterator[tuple[int, tuple[bytes, bytes]]]:
    """Yield the number of each row, and what only equal rows share."""
    rows: Any = sparse.csr_array(weights, dtype=np.float64, copy=True)
    rows.sum_duplicates()
    rows.eliminate_zeros()
    for i, (start, stop) in enumerate(pairwise(rows.indptr)):
        names = rows.indices[start:stop].astype(np.int64)
        yield i, (names.tobytes(), rows.data[start:stop].tobytes())


def n_neighbors_of(model: Any, n: int) -> int:
    """Return the neighbours of each sample, itself counted; a tenth of all for None."""
    given = getattr(model, "n_neighbors", None)
    if given is None:
        return max(n // 10, 1)
    check_domain(f"{type(model).__name__}.n_neighbors", given, whole(1))
    return min(int(given), n)


def _neighbors(model: Any, X: Any, known: Any, *, alone: bool) -> Any:
    """Return an entry 1 for each sample and neighbour; each is its own first one."""
    given = is_given(model)
    if given:
        X = _filled(X, alone=alone) if sparse.issparse(X) else X
    k = n_neighbors_of(model, X.shape[1] if given else known.shape[0])
    if given and not alone:
        names = np.argsort(X, axis=1, kind="stable")[:, :k]
        starts = np.arange(0, names.size + 1, k)
        entries = np.ones(names.size)
        return sparse.csr_array((entries, names.ravel(), starts), shape=X.shape)
    search = NearestNeighbors(metric="precomputed" if given else "minkowski")
    if not alone:
        return search.fit(known).kneighbors_graph(X, k)
    own: Any = sparse.eye_array(X.shape[0], format="csr")
    return own if k == 1 else own + search.fit(X).kneighbors_graph(None, k - 1)


def _filled(X: Any, *, alone: bool) -> Matrix:
    """Return sparse distances as a full matrix, huge where none is named."""
    full = np.full(X.shape, np.finfo(np.float64).max / 4)
    entries = X.tocoo()
    full[entries.coords] = entries.data
    if alone:
        np.fill_diagonal(full, 0.0)
    return full


def _kernel_values(model: Any, X: Any, known: Any) -> Matrix:
    owner = type(model).__name__
    names = ("gamma", "coef0", "degree")
    named = {name: getattr(model, name, None) for name in names}
    kernel = model.affinity
    if callable(kernel) and not isinstance(kernel, Kernel):
        if _of_one_table(kernel):
            return _own_weights(model, X, known)
        named = dict(getattr(model, "kernel_params", None) or {})
    try:
        similarity = named_kernel(owner, kernel, known.shape[1], named)
    except InvalidParameterError as error:
        reason = str(error).replace(".kernel must be", ".affinity must be")
        raise InvalidParameterError(reason) from None
    return _not_negative(model, similarity(X, known))


def _of_one_table(function: Any) -> bool:
    """Tell whether a function cannot take two samples, so takes a table of them."""
    try:
        signature(function).bind(None, None)
    except TypeError:
        return True
    except ValueError:  # of a builtin, nothing is known
        return False
    return False


def _own_weights(model: Any, X: Any, known: Any) -> Matrix:
    """Return what a function of one table says; of new samples it says nothing."""
    owner = type(model).__name__
    if X is not known:
        raise IncompatibleError(
            f"{owner}: affinity is a function of one table, which has no value for a "
            "new sample and a known one; pass a function of two samples."
        )
    found = model.affinity(X)
    values = found.toarray() if hasattr(found, "toarray") else found
    if np.shape(values) != (X.shape[0], X.shape[0]):
        raise DataError(
            f"{owner}.affinity must return a matrix of {X.shape[0]} rows and columns, "
            f"got shape {np.shape(values)}."
        )
    return _not_negative(model, values)


def _not_negative(model: Any, given: Any) -> Matrix:
    owner, values = type(model).__name__, np.array(given, dtype=np.float64)
    if values.min(initial=0.0) < 0:
        raise DataError(
            f"{owner}: weights of a graph are similarities and cannot be negative, but "
            f"affinity={model.affinity!r} gave {values.min():.3g}."
        )
    return values
