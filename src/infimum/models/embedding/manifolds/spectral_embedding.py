"""Laplacian eigenmaps: neighbours in a graph become neighbours in the plane."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import (
    BaseEstimator,
    ClassNamePrefixFeaturesOutMixin,
    TransformerMixin,
)
from sklearn.utils import check_random_state

from infimum.data.doors import check_fitted
from infimum.errors import DataError
from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.models.graph._affinity import (
    admit,
    affinity,
    affinity_to,
    coinciding,
    is_given,
    n_neighbors_of,
    without_loops,
)
from infimum.models.graph._out_of_sample import extend
from infimum.models.graph._weights import accept_weights, both_ways
from infimum.models.graph.laplacian import LAPLACIANS
from infimum.models.graph.spectrum import smallest_eigenpairs
from infimum.parameters import (
    Choice,
    Domains,
    besides,
    check_domain,
    check_parameters,
    nonnegative,
    or_none,
    whole,
)
from infimum.typing import Matrix

__all__ = ["SpectralEmbedding", "spectral_embedding"]

_SOLVERS = Choice((None, "arpack", "lobpcg", "amg"))


class SpectralEmbedding(
    ClassNamePrefixFeaturesOutMixin,  # type: ignore[misc]
    TransformerMixin,  # type: ignore[misc]
    BaseEstimator,  # type: ignore[misc]
):
    r"""Coordinates that vary as little as they can along the edges of a graph.

    .. math:: \min_{g}\ \tfrac12 \sum_{ij} w_{ij} (g_i - g_j)^2
              \quad\text{with}\quad g^\top D g = 1

    one after the other, each at right angles to those before: the eigenvectors of the
    random-walk Laplacian with the smallest eigenvalues, the constant one left out.

    Parameters
    ----------
    n_components : int, default=2
    affinity : str, Kernel or callable, default="nearest_neighbors"
        As in `SpectralClustering`.
    gamma : float, optional
        Of a kernel; 1/n_features unless given.
    random_state : int, RandomState or None, default=None
    eigen_solver : {None, "arpack", "lobpcg", "amg"}, default=None
        Accepted for compatibility: all stand for block Krylov.
    eigen_tol : float or "auto", default="auto"
        Residual at which block Krylov stops; "auto" stands for 1e-8.
    n_neighbors : int, optional
        Neighbours, the sample itself among them; a tenth of the samples unless given.
    n_jobs : int, optional
        Accepted for compatibility; all cores are used, the answer is the same.
    laplacian : {"random_walk", "symmetric", "unnormalized"}, default="random_walk"

    Attributes
    ----------
    embedding_ : ndarray of shape (n_samples, n_components)
    affinity_matrix_ : ndarray or csr_array of shape (n_samples, n_samples)
    eigenvalues_, residuals_ : ndarray of shape (n_components,)
    n_neighbors_ : int
    gamma_ : float

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[0.0], [0.1], [3.0], [3.1]])
    >>> g = SpectralEmbedding(1, affinity="rbf").fit_transform(X)[:, 0]
    >>> (g > 0).tolist() in ([True, True, False, False], [False, False, True, True])
    True
    """

    _domains: ClassVar[Domains] = {
        "gamma": or_none(nonnegative),
        "eigen_tol": besides(nonnegative, "auto"),
        "n_components": whole(1),
        "eigen_solver": _SOLVERS,
        "laplacian": LAPLACIANS,
    }

    def __init__(
        self,
        n_components: int = 2,
        *,
        affinity: Any = "nearest_neighbors",
        gamma: float | None = None,
        random_state: Any = None,
        eigen_solver: str | None = None,
        eigen_tol: Any = "auto",
        n_neighbors: int | None = None,
        n_jobs: int | None = None,
        laplacian: str = "random_walk",
    ) -> None:
        self.n_components = n_components
        self.affinity = affinity
        self.gamma = gamma
        self.random_state = random_state
        self.eigen_solver = eigen_solver
        self.eigen_tol = eigen_tol
        self.n_neighbors = n_neighbors
        self.n_jobs = n_jobs
        self.laplacian = laplacian

    @whole_or_not_at_all
    def fit(self, X: Any, y: Any = None) -> Self:
        """Find the coordinates; return self.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Samples; weights or distances, n_samples × n_samples, if they are given.
        y : ignored
        """
        check_parameters(self)
        single = getattr(X, "dtype", None) == np.float32 and self.affinity == "rbf"
        X = admit(self, X)
        n, count = X.shape[0], int(self.n_components)
        if n < 2:  # noqa: PLR2004
            raise DataError(
                f"SpectralEmbedding needs 2 samples or more, got {n} sample."
            )
        self.n_neighbors_ = n_neighbors_of(self, n)
        weights = affinity(self, X)
        draw = check_random_state(self.random_state)
        found = smallest_eigenpairs(
            without_loops(weights),
            min(n, count + 1),
            self.laplacian,
            tol=1e-8 if self.eigen_tol == "auto" else float(self.eigen_tol),
            seed=int(draw.randint(2**31 - 1)),
        )
        self._known = None if is_given(self) else X
        self._degrees = found.degrees
        kind = np.float32 if single else np.float64
        self.affinity_matrix_ = weights.astype(kind, copy=False)
        self.embedding_ = np.ascontiguousarray(found.vectors[:, 1:], dtype=kind)
        self.eigenvalues_, self.residuals_ = found.values[1:], found.residuals[1:]
        self._n_features_out = self.embedding_.shape[1]
        return self

    def fit_transform(self, X: Any, y: Any = None) -> Matrix:
        """Fit and return the coordinates of the same samples."""
        return np.asarray(self.fit(X).embedding_)

    def transform(self, X: Any) -> Matrix:
        r"""Return the coordinates of new samples, by the eigenvectors' equation.

        .. math:: g(x) = \frac{\sum_j w(x, x_j)\, g_j}{(1 - λ)\, d(x)}, \qquad
                  d(x) = \sum_j w(x, x_j)

        for the random-walk Laplacian; the symmetric one has :math:`\sqrt{d}\, g` in
        place of g, the unnormalised one :math:`d(x) - λ` below. One that coincides with
        a sample of the fit gets its coordinates: by equal features, by a given distance
        of 0, or by given weights that are all equal.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_new, n_features)
            Samples; weights or distances to the samples of the fit if they were given.
        """
        check_fitted(self)
        X = admit(self, X, reset=False)
        rows = affinity_to(self, X, self._known)
        plain = self.laplacian == "unnormalized"
        coordinates: Any = self.embedding_
        if self.laplacian == "symmetric":
            roots = np.sqrt(self._degrees)[:, None]
            coordinates = np.divide(
                coordinates, roots, out=np.zeros_like(coordinates), where=roots > 0
            )
        placed = extend(rows, coordinates, self.eigenvalues_, unnormalized=plain)
        if self.laplacian == "symmetric":
            degrees = np.asarray(rows.sum(axis=1)).ravel()
            placed *= np.sqrt(degrees)[:, None]
        same, own = coinciding(self, X)
        placed[same] = self.embedding_[own]
        return placed

    @property
    def gamma_(self) -> float:
        """The gamma in use: the one given, or 1 / n_features."""
        check_fitted(self, "n_features_in_")
        return 1.0 / self.n_features_in_ if self.gamma is None else float(self.gamma)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.pairwise = is_given(self)
        return tags


def spectral_embedding(
    adjacency: Any,
    *,
    n_components: int = 8,
    eigen_solver: str | None = None,
    random_state: Any = None,
    eigen_tol: Any = "auto",
    norm_laplacian: bool = True,
    drop_first: bool = True,
) -> Matrix:
    """Return the coordinates of the vertices of a graph, by its Laplacian.

    Parameters
    ----------
    adjacency : array-like or sparse matrix of shape (n_vertices, n_vertices)
        Symmetric weights; loops do not count.
    n_components : int, default=8
    eigen_solver, random_state, eigen_tol
        As in `SpectralEmbedding`.
    norm_laplacian : bool, default=True
        Eigenvectors of the random walk, or of the Laplacian that is not normalised.
    drop_first : bool, default=True
        Whether to leave out the first eigenvector, which is constant on a component.

    Returns
    -------
    ndarray of shape (n_vertices, n_components)

    Examples
    --------
    >>> import numpy as np
    >>> path = np.diag(np.ones(4), 1)
    >>> g = spectral_embedding(path + path.T, n_components=1)[:, 0]
    >>> bool((np.diff(g) > 0).all() or (np.diff(g) < 0).all())
    True
    """
    check_domain("spectral_embedding: n_components", n_components, whole(1))
    check_domain("spectral_embedding: eigen_solver", eigen_solver, _SOLVERS)
    if eigen_tol != "auto":
        check_domain("spectral_embedding: eigen_tol", eigen_tol, nonnegative)
    owner = "spectral_embedding"
    weights = accept_weights(owner, both_ways(owner, adjacency))
    draw = check_random_state(random_state)
    first = int(bool(drop_first))
    found = smallest_eigenpairs(
        without_loops(weights),
        min(weights.shape[0], int(n_components) + first),
        "random_walk" if norm_laplacian else "unnormalized",
        tol=1e-8 if eigen_tol == "auto" else float(eigen_tol),
        seed=int(draw.randint(2**31 - 1)),
    )
    return np.ascontiguousarray(found.vectors[:, first:])
