"""Isomap: unroll a manifold by the distances along it."""

from __future__ import annotations

import math
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import (
    BaseEstimator,
    ClassNamePrefixFeaturesOutMixin,
    TransformerMixin,
)

from infimum.data.doors import check_fitted, rows, samples
from infimum.errors import IncompatibleError
from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.models.embedding.manifolds._geodesics import (
    geodesics_from_farthest,
    join_components,
    links_to,
    neighbor_links,
)
from infimum.models.embedding.scaling._placing import (
    centre,
    mean_squares,
    place,
    principal_points,
)
from infimum.models.graph.paths import shortest_paths
from infimum.models.neighbors import NearestNeighbors
from infimum.parameters import (
    Choice,
    Domains,
    Interval,
    besides,
    check_parameters,
    nonnegative,
    or_none,
    whole,
)
from infimum.typing import Matrix

__all__ = ["Isomap"]

_SOLVERS = Choice(("auto", "arpack", "dense"))
_PATHS = Choice(("auto", "FW", "D"))


class Isomap(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Classical scaling of geodesic distances, which the shortest paths estimate.

    Samples are joined to their neighbours by links as long as their distance; the
    shortest paths through them approach the distances along the manifold as samples
    become many, and points with these distances lie flat if the manifold can.

    Parameters
    ----------
    n_neighbors : int or None, default=5
        Neighbours of each sample; None to use the radius.
    radius : float or None, default=None
        Longest link.
    n_components : int, default=2
    eigen_solver : {"auto", "arpack", "dense"}, default="auto"
        Accepted for compatibility: few points are decomposed whole, many by block
        Krylov, to their residual.
    tol : float, default=0
        Relative residual at which block Krylov stops; 0 stands for 1e-10.
    max_iter : int or None, default=None
        Most block products; None stands for 200.
    path_method : {"auto", "FW", "D"}, default="auto"
        Accepted for compatibility: paths are Dijkstra's, from many sources at once.
    neighbors_algorithm, metric, p, metric_params
        As in `infimum.models.neighbors.NearestNeighbors`.
    n_jobs : int, optional
        Accepted for compatibility; all cores are used, the answer is the same.
    n_landmarks : int or None, default=None
        Measure paths from so many samples only, each as far as can be from those
        before, and place the others by their distances to them: n × n_landmarks
        distances instead of n × n.

    Attributes
    ----------
    embedding_ : ndarray of shape (n_samples, n_components)
    dist_matrix_ : ndarray of shape (n_samples, n_samples)
        Geodesic distances; (n_landmarks, n_samples) from landmarks.
    eigenvalues_, residuals_ : ndarray of shape (n_components,)
        Eigenvalues of the centred inner products, and how far true ones may be.
    nbrs_ : NearestNeighbors
    landmarks_ : ndarray of int or None
    n_connected_components_ : int
        Of the neighbourhood graph. If there are several, they were joined by their
        shortest links, which is a guess: more neighbours join them along the data.

    Examples
    --------
    >>> import numpy as np
    >>> angle = np.linspace(0, 5, 60)
    >>> arc = np.column_stack((np.cos(angle), np.sin(angle)))
    >>> flat = Isomap(n_neighbors=2, n_components=1).fit_transform(arc)[:, 0]
    >>> bool(abs(np.corrcoef(flat, angle)[0, 1]) > 0.999)
    True
    """

    _domains: ClassVar[Domains] = {
        "p": besides(Interval(1, math.inf), math.inf),
        "n_neighbors": or_none(whole(1)),
        "radius": besides(nonnegative, None, math.inf),
        "n_components": or_none(whole(1)),
        "max_iter": or_none(whole(1)),
        "n_landmarks": or_none(whole(2)),
        "tol": or_none(nonnegative),
        "eigen_solver": or_none(_SOLVERS),
        "path_method": or_none(_PATHS),
    }

    def __init__(
        self,
        *,
        n_neighbors: int | None = 5,
        radius: float | None = None,
        n_components: int = 2,
        eigen_solver: str = "auto",
        tol: float = 0,
        max_iter: int | None = None,
        path_method: str = "auto",
        neighbors_algorithm: str = "auto",
        n_jobs: int | None = None,
        metric: Any = "minkowski",
        p: float = 2,
        metric_params: dict[str, Any] | None = None,
        n_landmarks: int | None = None,
    ) -> None:
        self.n_neighbors = n_neighbors
        self.radius = radius
        self.n_components = n_components
        self.eigen_solver = eigen_solver
        self.tol = tol
        self.max_iter = max_iter
        self.path_method = path_method
        self.neighbors_algorithm = neighbors_algorithm
        self.n_jobs = n_jobs
        self.metric = metric
        self.p = p
        self.metric_params = metric_params
        self.n_landmarks = n_landmarks

    @whole_or_not_at_all
    def fit(self, X: Any, y: Any = None) -> Self:
        """Measure the manifold and flatten it; return self.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Samples; their distances for ``metric='precomputed'``.
        y : ignored
        """
        self._check()
        X = rows(self, X, moderate=True, accept_sparse=["csr"]).X
        self.nbrs_ = NearestNeighbors(
            n_neighbors=5 if self.n_neighbors is None else int(self.n_neighbors),
            radius=1.0 if self.radius is None else float(self.radius),
            algorithm=self.neighbors_algorithm,
            metric=self.metric,
            p=self.p,
            metric_params=self.metric_params,
        ).fit(X)
        links = neighbor_links(self.nbrs_, by_radius=self.n_neighbors is None)
        self.n_connected_components_, joined = join_components(links, self.nbrs_)
        self.embedding_ = self._flatten(joined).astype(X.dtype, copy=False)
        self._n_features_out = self.embedding_.shape[1]
        return self

    def fit_transform(self, X: Any, y: Any = None) -> Matrix:
        """Fit and return the points of the same samples."""
        return np.asarray(self.fit(X).embedding_)

    def transform(self, X: Any) -> Matrix:
        """Return the points of new samples, by their paths over a neighbour.

        Samples of the fit get their own points back.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_new, n_features)
        """
        X = samples(self, X, moderate=True, accept_sparse=["csr"])
        by_radius = self.n_neighbors is None
        paths = links_to(self.nbrs_, X, self.dist_matrix_, by_radius=by_radius)
        products = (self._offsets - paths**2) / 2.0
        placed = place(self._anchors, self.eigenvalues_, products)
        return placed.astype(X.dtype, copy=False)

    def reconstruction_error(self) -> float:
        """Return ‖K(D) - K(D_fit)‖_F / n, of the inner products and their estimate."""
        check_fitted(self)
        if self.landmarks_ is not None:
            raise IncompatibleError(
                "Isomap.reconstruction_error needs all distances, and there are only "
                "those from landmarks."
            )
        squares = self.dist_matrix_**2
        means = squares.mean(axis=0)
        gram = (means + means[:, None] - means.mean() - squares) / 2.0
        left = float(np.sum(gram**2) - np.sum(self.eigenvalues_**2))
        return float(np.sqrt(max(left, 0.0)) / len(gram))

    def _flatten(self, links: Any) -> Matrix:
        n = links.shape[0]
        if self.n_landmarks is None:
            self.landmarks_ = None
            self.dist_matrix_ = far = shortest_paths(links)
        else:
            wanted = min(n, int(self.n_landmarks))
            self.landmarks_, self.dist_matrix_ = geodesics_from_farthest(links, wanted)
            far = self.dist_matrix_[:, self.landmarks_]
        m = len(far)
        self.eigenvalues_, points, self.residuals_ = principal_points(
            centre(far),
            m,
            min(m, int(self.n_components)),
            tol=float(self.tol) or 1e-10,
            max_products=200 if self.max_iter is None else int(self.max_iter),
        )
        self._anchors, self._offsets = points, mean_squares(far)
        if self.landmarks_ is not None:
            products = (self._offsets - self.dist_matrix_.T**2) / 2.0
            points = place(points, self.eigenvalues_, products)
        return points

    def _check(self) -> None:
        if (self.n_neighbors is None) == (self.radius is None):
            raise IncompatibleError(
                "Isomap takes neighbours by number or by radius: pass n_neighbors or "
                f"radius and None for the other, got {self.n_neighbors!r} and "
                f"{self.radius!r}."
            )
        check_parameters(self)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        given = isinstance(self.metric, str) and self.metric == "precomputed"
        tags.input_tags.pairwise = given
        tags.input_tags.sparse = not given
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags
