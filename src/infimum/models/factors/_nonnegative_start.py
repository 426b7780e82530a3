"""Where a nonnegative factorisation begins: at random, or at singular vectors."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import linalg
from sklearn.utils.extmath import svd_flip

from infimum.features.columns import is_sparse
from infimum.models.leading_eigenpairs import leading_eigenpairs
from infimum.typing import Matrix, Vector

__all__ = ["first_factors", "leading_triplets"]

#: Entries below this are noise of the decomposition.
NOISE = 1e-6
#: Up to this share of all axes an iteration is cheaper than the whole decomposition,
#: where there are more than so many.
FEW, MANY = 0.2, 600


def first_factors(
    X: Any, count: int, init: str | None, random: np.random.RandomState
) -> tuple[Matrix, Matrix]:
    """Return W and H to begin with, both without negative entries."""
    if init is None:
        init = "nndsvda" if count <= min(X.shape) else "random"
    mean = float(X.mean())
    if init == "random":
        level = np.sqrt(mean / count)
        H = level * random.standard_normal((count, X.shape[1]))
        W = level * random.standard_normal((X.shape[0], count))
        return _typed(np.abs(W), np.abs(H), X.dtype)
    W, H = _from_singular(*leading_triplets(X, count, random))
    if init == "nndsvda":
        W[W == 0.0], H[H == 0.0] = mean, mean
    elif init == "nndsvdar":
        for part in (W, H):
            empty = part == 0.0
            noise = mean * random.standard_normal(int(empty.sum())) / 100.0
            part[empty] = np.abs(noise)
    return _typed(W, H, X.dtype)


def _typed(W: Matrix, H: Matrix, dtype: Any) -> tuple[Matrix, Matrix]:
    return W.astype(dtype, copy=False), H.astype(dtype, copy=False)


def leading_triplets(
    X: Any, count: int, random: np.random.RandomState
) -> tuple[Matrix, Vector, Matrix]:
    """Return the leading singular vectors and values of a table, signs settled."""
    tall = X.shape[0] >= X.shape[1]
    if count <= FEW * min(X.shape) and min(X.shape) > MANY:

        def gram(V: Matrix) -> Matrix:
            found = X.T @ (X @ V) if tall else X @ (X.T @ V)
            return np.asarray(found, dtype=np.float64)

        seed = int(random.randint(2**31 - 1))
        found = leading_eigenpairs(
            gram, min(X.shape), count, tol=1e-8, random_state=seed
        )
        vectors, values = found.vectors, np.sqrt(np.maximum(found.values, 0.0))
    else:
        product = X.T @ X if tall else X @ X.T
        product = product.toarray() if is_sparse(product) else np.asarray(product)
        squares, vectors = linalg.eigh(product.astype(np.float64))
        values = np.sqrt(np.maximum(squares[::-1][:count], 0.0))
        vectors = vectors[:, ::-1][:, :count]
    other = np.asarray((X if tall else X.T) @ vectors)
    other = other / np.where(values > 0.0, values, 1.0)
    U, V = (other, vectors.T) if tall else (vectors, other.T)
    U, V = svd_flip(U, V)
    return U, values, V


def _from_singular(U: Matrix, values: Vector, V: Matrix) -> tuple[Matrix, Matrix]:
    """Return the larger of the positive and negative parts of each pair of vectors.

    The first pair has one sign (Boutsidis & Gallopoulos 2008).
    """
    W, H = np.zeros_like(U), np.zeros_like(V)
    W[:, 0] = np.sqrt(values[0]) * np.abs(U[:, 0])
    H[0] = np.sqrt(values[0]) * np.abs(V[0])
    for k in range(1, len(values)):
        up, down = np.maximum(U[:, k], 0.0), np.maximum(-U[:, k], 0.0)
        right, left = np.maximum(V[k], 0.0), np.maximum(-V[k], 0.0)
        sizes = [
            (linalg.norm(a) * linalg.norm(b), a, b)
            for a, b in ((up, right), (down, left))
        ]
        size, a, b = max(sizes, key=lambda each: each[0])
        if size > 0.0:
            scale = np.sqrt(values[k] * size)
            W[:, k], H[k] = scale * a / linalg.norm(a), scale * b / linalg.norm(b)
    W[W < NOISE], H[H < NOISE] = 0.0, 0.0
    return W, H
