"""Four routes to the principal axes of a cloud of points, chosen by its shape."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import linalg
from sklearn.utils.extmath import svd_flip
from sklearn.utils.sparsefuncs import mean_variance_axis

from infimum.compiled.threads import in_parts, one_blas_thread
from infimum.features.columns import is_sparse
from infimum.models.leading_eigenpairs import leading_eigenpairs
from infimum.typing import Matrix, Vector

__all__ = ["PrincipalAxes", "choose_route", "principal_axes"]

#: Entries of a block of rows that is centred at a time: it stays in a core's cache.
BLOCK = 2**17
#: Into how many parts the rows are cut at most.
PARTS = 8


@dataclass(frozen=True)
class PrincipalAxes:
    """Axes as rows, the squared singular values along them, and the total of all.

    `total` is the squared Frobenius norm of the centred data: what all axes together
    explain, also those that were not computed. `residuals` bounds the error of each
    squared singular value where the route is an iteration, else it is empty.
    """

    mean: Vector
    axes: Matrix
    squares: Vector
    total: float
    residuals: Vector


def choose_route(shape: tuple[int, int], count: int, *, stay_sparse: bool) -> str:
    """Return the cheapest route that loses no accuracy anyone would miss."""
    n, d = shape
    if stay_sparse:
        return "krylov"
    least = min(n, d)
    if least > 500 and count < 0.1 * least:  # noqa: PLR2004
        return "krylov"
    if d <= 1000 and n >= 10 * d:  # noqa: PLR2004
        return "covariance_eigh"
    return "gram" if d >= 10 * n else "full"


def principal_axes(
    X: Any, route: str, count: int, *, tol: float = 0.0, seed: int = 0
) -> PrincipalAxes:
    """Return the `count` leading principal axes of the rows of X, dense or CSR."""
    if route == "covariance_eigh":
        answer = _from_covariance(X)
    elif route == "krylov":
        answer = _from_products(X, _mean(X), count, tol or 1e-10, seed)
    elif route == "gram":
        answer = _from_gram(X, _mean(X))
    else:
        answer = _from_svd(X, _mean(X))
    _, axes = svd_flip(None, answer.axes[:count], u_based_decision=False)
    squares = np.maximum(answer.squares[:count], 0.0)
    return PrincipalAxes(answer.mean, axes, squares, answer.total, answer.residuals)


def _mean(X: Any) -> Vector:
    return np.asarray(X.mean(axis=0), dtype=X.dtype).ravel()


def _from_svd(X: Matrix, mean: Vector) -> PrincipalAxes:
    _, singular, axes = linalg.svd(X - mean, full_matrices=False)
    squares = singular**2
    return PrincipalAxes(mean, axes, squares, float(squares.sum()), np.empty(0))


def _from_covariance(X: Any) -> PrincipalAxes:
    """Read the rows once: from the mean of the first few, which is near enough."""
    n, d = X.shape
    step = max(1, BLOCK // d)
    near = _mean(X[:step])

    def work(rows: slice) -> tuple[Matrix, Vector]:
        scatter, sums = np.zeros((d, d)), np.zeros(d)
        # What overflows is found by the eigenvectors; each thread has its own rules.
        with np.errstate(over="ignore", invalid="ignore"):
            for start in range(rows.start, rows.stop, step):
                block = _dense(X[start : min(rows.stop, start + step)]) - near
                scatter += block.T @ block
                sums += block.sum(axis=0, dtype=np.float64)
        return scatter, sums

    with one_blas_thread():
        told = in_parts(n, work, max(1, min(PARTS, n // (4 * step))))
    scatter = np.sum([part for part, _ in told], axis=0)
    moved = np.sum([sums for _, sums in told], axis=0) / n
    scatter -= n * np.outer(moved, moved)
    values, vectors = linalg.eigh(scatter)
    axes = np.ascontiguousarray(vectors[:, ::-1].T)
    mean = np.asarray(near + moved, dtype=X.dtype)
    total = float(np.trace(scatter))
    return PrincipalAxes(mean, axes, values[::-1], total, np.empty(0))


def _from_gram(X: Any, mean: Vector) -> PrincipalAxes:
    """Few long rows: eigenvectors a of K give the axes v = Xᵀa / √λ, of unit length."""
    centred = _dense(X) - mean
    gram = (centred @ centred.T).astype(np.float64)
    values, vectors = linalg.eigh(gram)
    values, vectors = values[::-1], vectors[:, ::-1]
    axes = (centred.T @ vectors).T
    # Axes without variance are not determined by the products; QR completes the rest.
    axes = linalg.qr(axes.T, mode="economic")[0].T[: min(X.shape)]
    total = float(np.trace(gram))
    return PrincipalAxes(mean, axes, values, total, np.empty(0))


def _from_products(
    X: Any, mean: Vector, count: int, tol: float, seed: int
) -> PrincipalAxes:
    """Products with X only: nothing is centred in memory, sparse stays sparse."""

    def scores(V: Matrix) -> Matrix:
        V = V.astype(X.dtype, copy=False)
        return np.asarray(X @ V - mean @ V, dtype=np.float64)

    def pull_back(U: Matrix) -> Matrix:
        U = U.astype(X.dtype, copy=False)
        return np.asarray(X.T @ U - np.outer(mean, U.sum(axis=0)), dtype=np.float64)

    tall = X.shape[0] >= X.shape[1]
    found = leading_eigenpairs(
        (lambda V: pull_back(scores(V))) if tall else (lambda U: scores(pull_back(U))),
        min(X.shape),
        count,
        tol=max(tol, 30 * float(np.finfo(X.dtype).eps)),
        random_state=seed,
    )
    vectors = found.vectors
    if not tall:
        vectors = linalg.qr(pull_back(vectors), mode="economic")[0]
    total = _squared_deviation(X, mean)
    return PrincipalAxes(mean, vectors.T, found.values, total, found.residuals)


def _squared_deviation(X: Any, mean: Vector) -> float:
    """Return Σ‖xᵢ - x̄‖², from differences, so that a large mean cancels nothing."""
    if is_sparse(X):
        _, variances = mean_variance_axis(X, axis=0)
        return float(X.shape[0] * variances.sum(dtype=np.float64))
    total = 0.0
    step = max(1, BLOCK // max(1, X.shape[1]))
    for start in range(0, X.shape[0], step):
        block = X[start : start + step] - mean
        total += float(np.vdot(block, block))
    return total


def _dense(X: Any) -> Any:
    return X.toarray() if is_sparse(X) else X
