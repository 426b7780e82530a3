"""The graph of samples along which labels spread."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from scipy import sparse

from infimum.errors import DataError, InvalidParameterError
from infimum.kernels import Gaussian, Kernel
from infimum.models._matrix_function import values_of
from infimum.models.kernel.kernel_ridges._conjugate_gradients import TILE, KernelTiles
from infimum.models.neighbors import NearestNeighbors
from infimum.parameters import check_domain, nonnegative, shown, whole
from infimum.typing import Matrix, Vector

__all__ = ["Edges", "check_kernel", "edges_between", "edges_to"]

KERNELS = ("rbf", "knn", "knn_rbf", "precomputed")
#: Kernel values kept: 256 MiB. More are computed again for each product.
KEPT = 2**25
#: Gaussian weights kept one by one, rows looked at to guess how many there are, and
#: pairs looked at together.
FEW, SOME, TOGETHER = 2**23, 64, 2**18
#: Share of all pairs above which rows are quicker whole.
MOST = 0.125
#: Squared lengths up to which single precision tells which pairs may be near.
LONGEST = 1e30


@dataclass(frozen=True, eq=False)
class Edges:
    """Weights from a copy of each sample to all copies of each sample.

    A weight of a sample counts copies of it. `times` multiplies the matrix with
    columns; `back` is what arrives at a copy of each sample, and `own` the loop of a
    copy to itself.
    """

    times: Callable[[Matrix], Matrix]
    back: Vector
    own: Vector

    @classmethod
    def of(cls, W: Any, copies: Vector, own: Vector) -> Edges:
        """Return the edges of a matrix whose columns already count copies."""
        back = np.asarray(W.T @ copies).ravel() / copies
        return cls(lambda F: np.asarray(W @ F), back, own)


def check_kernel(model: Any) -> None:
    """Raise unless a model's kernel is one that labels can spread on."""
    owner, kernel = type(model).__name__, model.kernel
    if not callable(kernel) and (not isinstance(kernel, str) or kernel not in KERNELS):
        names = ", ".join(repr(name) for name in KERNELS)
        raise InvalidParameterError(
            f"{owner}.kernel must be one of {names} or a function, got {shown(kernel)}."
        )
    check_domain(f"{owner}.gamma", model.gamma, nonnegative)
    check_domain(f"{owner}.n_neighbors", model.n_neighbors, whole(1))


def edges_between(model: Any, X: Any, copies: Vector) -> Edges:
    """Return the edges of a fitted model's own samples."""
    if model.kernel in ("knn", "knn_rbf"):
        W = _nearest(model, X, copies, X, alone=True)
        return Edges.of(W, copies, np.minimum(W.diagonal(), 1.0))
    if model.kernel == "rbf" and model._keeps_loops:
        return _with_loops(_gaussian(model), float(model.gamma), X, copies)
    if model.kernel == "rbf":
        return _full(_gaussian(model), X, copies)
    if isinstance(model.kernel, Kernel):
        return _full(model.kernel, X, copies)
    W = X if model.kernel == "precomputed" else values_of(model.kernel, X, X)
    W = _similarities(model, W, (X.shape[0], X.shape[0]))
    own = np.asarray(W.diagonal(), dtype=np.float64)
    return Edges.of(_times_copies(W, copies), copies, own)


def edges_to(
    model: Any, X: Any, known: Any, copies: Vector
) -> Iterator[tuple[slice, Any]]:
    """Yield rows of new samples, and their weights to the known ones, in tiles."""
    if model.kernel in ("knn", "knn_rbf"):
        yield slice(None), _nearest(model, X, copies, known, alone=False)
        return
    if model.kernel == "precomputed":
        yield slice(None), _times_copies(_similarities(model, X, X.shape), copies)
        return
    plain = model.kernel == "rbf"
    kernel = _gaussian(model) if plain else partial(values_of, model.kernel)
    size = max(1, TILE // max(1, known.shape[0]))
    for start in range(0, X.shape[0], size):
        rows = slice(start, start + size)
        W = _similarities(model, kernel(X[rows], known), None)
        yield rows, _times_copies(W, copies)


def _times_copies(W: Any, copies: Vector) -> Any:
    """Return weights to all copies of each sample."""
    return W * copies if isinstance(W, np.ndarray) else W @ sparse.diags_array(copies)


def _gaussian(model: Any) -> Callable[..., Matrix]:
    if model.gamma == 0:
        return lambda X, Z=None: np.ones((X.shape[0], (X if Z is None else Z).shape[0]))
    return Gaussian.from_gamma(float(model.gamma))


def _full(kernel: Callable[..., Matrix], X: Any, copies: Vector) -> Edges:
    """Return the edges of a symmetric kernel, in tiles."""
    tiles = KernelTiles(kernel, X, KEPT)
    sums = tiles(copies[:, None])[:, 0]
    same = isinstance(kernel, Kernel) and not isinstance(kernel, Gaussian)
    own = np.asarray(kernel.diagonal(X)) if same else np.ones(len(copies))  # type: ignore[attr-defined]
    if sums.min(initial=0.0) < 0:
        raise DataError("Labels spread along similarities, which cannot be negative.")
    return Edges(lambda F: tiles(F * copies[:, None]), sums, own)


def _with_loops(
    kernel: Callable[..., Matrix], gamma: float, X: Any, copies: Vector
) -> Edges:
    """Return Gaussian edges for labels that are shares, which the loops keep.

    While few samples have shares, only their columns count; once all have, only
    weights that are not lost in rounding beside a sample's own.
    """
    n, tiles = len(copies), KernelTiles(kernel, X, KEPT)
    near = _near(X, gamma, copies)

    def times(F: Matrix) -> Matrix:
        there = F.any(axis=1)
        if near is not None and there.all():
            return np.asarray(near @ F)
        G = F * copies[:, None]
        if np.count_nonzero(there) > n // 4:
            return tiles(G)
        known, G, out = X[np.flatnonzero(there)], G[there], np.zeros_like(F)
        if len(G):
            size = max(1, TILE // len(G))
            for start in range(0, n, size):
                rows = slice(start, start + size)
                out[rows] = kernel(X[rows], known) @ G
        return out

    return Edges(times, np.zeros(0), np.ones(n))


def _near(X: Any, gamma: float, copies: Vector) -> Any:
    """Return the Gaussian weights that count beside loops of 1; None if too many do.

    All others of a row together are below the rounding of its loop. Candidates are
    found in single precision, with room for its errors.
    """
    n = len(copies)
    least = 2.0**-53 * float(copies.min() / copies.max()) / n
    if sparse.issparse(X) or gamma == 0:
        return None
    with np.errstate(over="ignore", invalid="ignore"):
        centred = X - X.mean(axis=0)
        squares: Vector = np.einsum("ij,ij->i", centred, centred)
    longest = float(squares.max(initial=0.0))
    if not longest < LONGEST:
        return None
    left = np.column_stack([centred, squares, np.ones(n)]).astype(np.float32)
    right = np.vstack([-2.0 * centred.T, np.ones(n), squares]).astype(np.float32)
    reach = -np.log(least) / gamma + (X.shape[1] + 4) * 2.0**-21 * longest
    some = np.random.default_rng(0).integers(0, n, SOME)
    share = np.count_nonzero(left[some] @ right < reach) / (SOME * n)
    if share * n * n > FEW or share > MOST:
        return None
    parts = []
    size = max(1, TILE // n)
    for start in range(0, n, size):
        i, j = np.nonzero(left[start : start + size] @ right[:, start:] < reach)
        after = j > i
        parts.append((i[after] + start, j[after] + start))
    i, j = (np.concatenate(ends) for ends in zip(*parts, strict=True))
    weights = np.concatenate(
        [np.zeros(0)]
        + [
            np.exp(-gamma * np.sum((X[i[part]] - X[j[part]]) ** 2, axis=1))
            for part in (slice(k, k + TOGETHER) for k in range(0, len(i), TOGETHER))
        ]
    )
    upper: Any = sparse.csr_array((weights, (i, j)), shape=(n, n))
    return _times_copies(upper + upper.T + sparse.eye_array(n), copies).tocsr()


def _similarities(model: Any, W: Any, shape: tuple[int, ...] | None) -> Any:
    """Return weights that can be such: none negative, of the right shape."""
    owner = type(model).__name__
    weights: Any = W
    if sparse.issparse(W):
        weights = sparse.csr_array(weights, dtype=np.float64)
    else:
        weights = np.asarray(W, dtype=np.float64)
    if shape is not None and weights.shape != shape:
        raise DataError(
            f"{owner}.kernel must return a matrix of shape {shape}, got shape "
            f"{weights.shape}."
        )
    entries = weights.data if sparse.issparse(W) else weights
    if not np.isfinite(entries).all() or entries.min(initial=0.0) < 0:
        raise DataError(
            f"{owner}: weights of a graph are finite and not negative, got "
            f"{np.min(entries):.3g}."
        )
    return weights


def _nearest(model: Any, X: Any, copies: Vector, known: Any, *, alone: bool) -> Any:
    """Return as many copies of the nearest samples as there are to be neighbours.

    The sample itself is among them, as in scikit-learn's graph.
    """
    n, k = known.shape[0], int(model.n_neighbors)
    # Copies of less than 1 make room for more distinct neighbours.
    count = min(n, int(np.ceil(k / min(1.0, float(copies.min())))))
    if n < k and alone and copies.sum() < k:
        raise DataError(
            f"Expected n_neighbors <= n_samples_fit, but n_neighbors = {k}, "
            f"n_samples_fit = {n}."
        )
    search = NearestNeighbors(n_neighbors=count).fit(known)
    if alone and count > 1:
        far, names = search.kneighbors(n_neighbors=count - 1)
        names = np.column_stack([np.arange(n), names])
        far = np.column_stack([np.zeros(n), far])
    elif alone:
        names, far = np.arange(n)[:, None], np.zeros((n, 1))
    else:
        far, names = search.kneighbors(X, count)
    held = copies[names]
    before = np.cumsum(held, axis=1) - held
    taken = np.clip(k - before, 0.0, held)
    if model.kernel == "knn_rbf":
        taken = taken * np.exp(-float(model.gamma) * np.asarray(far, np.float64) ** 2)
    starts = np.arange(0, names.size + 1, count)
    W = sparse.csr_array((taken.ravel(), names.ravel(), starts), shape=(len(names), n))
    W.eliminate_zeros()
    return W
