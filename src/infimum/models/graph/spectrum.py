"""The smallest eigenvalues of a Laplacian, with residuals and a picture."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import linalg, sparse
from scipy.sparse import csgraph
from sklearn.utils.extmath import svd_flip

from infimum.compiled.threads import one_blas_thread
from infimum.models.graph._weights import accept_weights, degrees_of, dense
from infimum.models.graph.laplacian import LAPLACIANS, inverse_roots
from infimum.models.graph.normalized_adjacency import (
    NormalizedAdjacency,
    multiply_weights,
)
from infimum.models.leading_eigenpairs import leading_eigenpairs
from infimum.parameters import check_domain, nonnegative, whole
from infimum.typing import Indices, Matrix, Vector

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

__all__ = ["LaplacianSpectrum", "eigengap", "laplacian_spectrum", "smallest_eigenpairs"]

#: Up to so many vertices the whole spectrum costs no more than a part of it.
DIRECT = 300
#: Up to so many vertices it costs no more than many products; so many are tried on a
#: full graph.
WHOLE, TRIED = 4000, 8
#: How far an inverse is taken from being singular, beside the largest eigenvalue, how
#: exact its eigenvectors are, and how many products they may take.
SHIFT, SHARP, PRODUCTS = 1e-12, 1e-7, 60
#: Vertices whose edges are looked at together.
STEP = 16
#: Where the known eigenvalues are moved, out of the way: below the smallest other.
AWAY = 2.5


@dataclass(frozen=True)
class LaplacianSpectrum:
    """The smallest eigenvalues of a Laplacian, with eigenvectors and residuals.

    Within `residuals[j]` of `values[j]` there is an eigenvalue (of the symmetric
    Laplacian, if this is that of the random walk). The first `components` values are 0
    and exact: their vectors are the indicators of the connected components, scaled.
    """

    kind: str
    values: Vector
    vectors: Matrix
    residuals: Vector
    components: int
    degrees: Vector

    def eigengap(self) -> int:
        """Return after how many eigenvalues the largest gap follows."""
        return eigengap(self.values)

    def plot(self) -> Figure:
        """Return a figure of the eigenvalues, with their largest gap marked."""
        import plotly.graph_objects as go

        gap, places = self.eigengap(), np.arange(1, len(self.values) + 1)
        colors = np.where(places <= gap, "#0072B2", "#999999")
        figure = go.Figure(
            go.Scatter(
                x=places,
                y=self.values,
                mode="markers",
                marker={"color": colors, "size": 9},
                error_y={"array": self.residuals, "visible": True},
                hovertemplate="λ<sub>%{x}</sub> = %{y:.4g}<extra></extra>",
            )
        )
        ends = self.values[gap - 1 : gap + 1]
        early = gap <= len(places) // 2
        figure.add_shape(
            type="line", x0=gap + 0.5, x1=gap + 0.5, y0=ends[0], y1=ends[-1],
            line={"color": "#D55E00", "width": 3},
        )  # fmt: skip
        figure.add_annotation(
            x=gap + 0.5,
            y=float(ends.mean()),
            text=f"largest gap after {gap}",
            showarrow=False,
            xanchor="left" if early else "right",
            xshift=8 if early else -8,
            font={"color": "#D55E00"},
        )
        figure.update_layout(
            template="plotly_white",
            xaxis={"title": "number", "dtick": max(1, len(places) // 12)},
            yaxis={"title": f"eigenvalue ({self.kind.replace('_', ' ')})"},
            showlegend=False,
        )
        return figure


def laplacian_spectrum(
    W: Any,
    count: int = 10,
    *,
    kind: str = "symmetric",
    tau: float = 0.0,
    tol: float = 1e-8,
    random_state: int = 0,
) -> LaplacianSpectrum:
    """Return the `count` smallest eigenvalues of a Laplacian and their vectors.

    Parameters
    ----------
    W : array-like or sparse matrix of shape (n, n)
        Symmetric weights.
    count : int, default=10
    kind : {'symmetric', 'random_walk', 'unnormalized'}, default='symmetric'
        Vectors of the random walk are those of the symmetric one divided by the roots
        of the degrees: they solve L g = λ D g, and are constant on components.
    tau : float, default=0.0
        Regularisation, as in `NormalizedAdjacency`.
    tol : float, default=1e-8
        Residual at which block Krylov stops.
    random_state : int, default=0

    Examples
    --------
    >>> path = [[0, 1, 0], [1, 0, 1], [0, 1, 0]]
    >>> laplacian_spectrum(path, 3, kind="unnormalized").values.round(6)
    array([0., 1., 3.])
    """
    check_domain("laplacian_spectrum: kind", kind, LAPLACIANS)
    check_domain("laplacian_spectrum: tau", tau, nonnegative)
    weights = accept_weights("laplacian_spectrum", W)
    check_domain("laplacian_spectrum: count", count, whole(1, weights.shape[0]))
    return smallest_eigenpairs(
        weights, int(count), kind, tau=float(tau), tol=tol, seed=random_state
    )


def eigengap(values: Any) -> int:
    """Return after how many of ascending eigenvalues the largest gap follows.

    The number of clusters that a spectrum suggests.

    Examples
    --------
    >>> eigengap([0.0, 0.01, 0.02, 0.5, 0.6])
    3
    """
    ascending = np.asarray(values, dtype=np.float64)
    return int(np.argmax(np.diff(ascending))) + 1 if len(ascending) > 1 else 1


def smallest_eigenpairs(
    weights: Any,
    count: int,
    kind: str,
    *,
    tau: float = 0.0,
    tol: float = 1e-8,
    seed: int = 0,
    max_products: int = 500,
    width: int | None = None,
) -> LaplacianSpectrum:
    """Return the spectrum of admitted weights, sparse or dense.

    Eigenvalue 0 needs no search: its vectors are known from the components. They are
    moved out of the way, and block Krylov finds what comes next.
    """
    multiply, top, degrees, formed = _operator(weights, kind, tau)
    heights = np.ones_like(degrees) if kind == "unnormalized" else np.sqrt(degrees)
    components, null = _null_vectors(weights, tau, heights, count)
    known, n = null.shape[1], weights.shape[0]
    if known < count:

        def moved(V: Matrix) -> Matrix:
            return multiply(V) - AWAY * top * (null @ (null.T @ V))

        if n <= DIRECT or 4 * count > n:
            values, vectors = _largest_first(moved(np.eye(n)), count - known)
        else:
            full = isinstance(weights, np.ndarray)
            most = min(TRIED, max_products) if full and n <= WHOLE else max_products
            # Threads of BLAS spin on after a call, and sparse products need the cores;
            # in products with few columns they wait for each other.
            with one_blas_thread():
                found = leading_eigenpairs(
                    moved, n, count - known,
                    tol=tol, max_products=most, random_state=seed, width=width,
                )  # fmt: skip
            values, vectors = found.values, found.vectors
            if n <= WHOLE and found.residuals.max() > tol * top:
                # Eigenvalues that lie as close as this are told apart by all others.
                lowered = formed() - AWAY * top * (null @ null.T)
                how = {"random_state": seed, "width": width}
                values, vectors = _told_apart(lowered, count - known, top, **how)
        vectors = svd_flip(vectors, None)[0]
    else:
        values, vectors = np.empty(0), np.empty((n, 0))
    vectors = np.hstack((null, vectors))
    moving = np.concatenate((np.full(known, top), values))
    residuals = np.linalg.norm(multiply(vectors) - vectors * moving, axis=0)
    if kind == "random_walk":
        vectors = vectors * _scales(degrees)[:, None]
    lowest = np.maximum(top - moving, 0.0)
    lowest[:known] = 0.0
    return LaplacianSpectrum(kind, lowest, vectors, residuals, components, degrees)


def _largest_first(matrix: Matrix, count: int) -> tuple[Vector, Matrix]:
    n = len(matrix)
    values, vectors = linalg.eigh(matrix, subset_by_index=[n - count, n - 1])
    return values[::-1], vectors[:, ::-1]


def _told_apart(
    matrix: Matrix, count: int, top: float, **how: Any
) -> tuple[Vector, Matrix]:
    """Return the largest eigenpairs of a matrix whose eigenvalues crowd below `top`.

    An inverse draws them apart: what is 1e-10 below `top` becomes a hundred times as
    large as what is 1e-8 below. Those that are large beside the others are found
    first, and then taken out of the way.
    """
    below, n = -matrix, len(matrix)
    below[np.diag_indices(n)] += (1.0 + SHIFT) * top
    try:
        factor = linalg.cho_factor(below, overwrite_a=True, check_finite=False)
    except linalg.LinAlgError:
        return _largest_first(matrix, count)
    vectors = np.empty((n, 0))

    def inverse(V: Matrix) -> Matrix:
        V = linalg.cho_solve(factor, V - vectors @ (vectors.T @ V), check_finite=False)
        return np.asarray(V - vectors @ (vectors.T @ V))

    with one_blas_thread():
        while vectors.shape[1] < count:
            found = leading_eigenpairs(
                inverse, n, count - vectors.shape[1],
                tol=SHARP / 10.0, max_products=PRODUCTS, **how,
            )  # fmt: skip
            known = found.residuals <= SHARP * np.abs(found.values)
            if not known[0]:
                return _largest_first(matrix, count)
            vectors = np.hstack((vectors, found.vectors[:, known]))
    values, turn = linalg.eigh(vectors.T @ matrix @ vectors)
    return values[::-1], vectors @ turn[:, ::-1]


def _operator(
    weights: Any, kind: str, tau: float
) -> tuple[Callable[[Matrix], Matrix], float, Vector, Callable[[], Matrix]]:
    """Return an operator with the Laplacian's vectors, and what 0 becomes.

    Then come degrees, and a function that forms the matrix.
    """
    if kind != "unnormalized":
        scaled = NormalizedAdjacency.of(weights, tau)
        return scaled.multiply, 1.0, scaled.degrees, scaled.formed
    degrees = degrees_of(weights) + tau
    top = 2.0 * float(degrees.max(initial=0.0)) or 1.0
    keep = (top - degrees)[:, None]

    def multiply(V: Matrix) -> Matrix:
        out = keep * V + multiply_weights(weights, V)
        return out + tau * V.mean(axis=0) if tau else out

    def formed() -> Matrix:
        return np.diag(keep[:, 0]) + dense(weights) + tau / len(degrees)

    return multiply, top, degrees, formed


def _null_vectors(
    weights: Any, tau: float, heights: Vector, most: int
) -> tuple[int, Matrix]:
    """Return the number of components and their scaled indicators by size."""
    n = weights.shape[0]
    labels: Indices = np.zeros(n, dtype=np.intp)
    if not tau and sparse.issparse(weights):
        kept: Any = weights
        _, labels = csgraph.connected_components(sparse.csr_array(kept), directed=False)
    elif not tau:
        labels = _components(weights)
    sizes = np.bincount(labels)
    places = np.empty(len(sizes), dtype=np.intp)
    places[np.argsort(-sizes, kind="stable")] = np.arange(len(sizes))
    column = places[labels]
    kept = column < most
    null = np.zeros((n, min(most, len(sizes))))
    null[np.flatnonzero(kept), column[kept]] = np.where(heights > 0, heights, 1.0)[kept]
    return len(sizes), np.asarray(null / np.linalg.norm(null, axis=0))


def _components(weights: Matrix) -> Indices:
    """Return the component of each vertex of a full graph, from 0 on.

    A few rows reach most of the vertices, and nobody looks at the others' rows.
    """
    labels: Indices = np.full(len(weights), -1, dtype=np.intp)
    count = 0
    while (unknown := np.flatnonzero(labels < 0)).size:
        border = unknown[:1]
        labels[border] = count
        while border.size and (unknown := np.flatnonzero(labels < 0)).size:
            # More rows are looked at only if these do not reach everything.
            few, rest = border[:STEP], border[STEP:]
            near = unknown[(weights[few][:, unknown] != 0.0).any(axis=0)]
            labels[near] = count
            border = np.concatenate([rest, near])
        count += 1
    return labels


def _scales(degrees: Vector) -> Vector:
    return np.where(degrees > 0, inverse_roots(degrees), 1.0)
