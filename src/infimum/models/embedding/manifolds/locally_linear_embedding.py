"""Locally linear embedding: each point stays the same mixture of its neighbours."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
from scipy import linalg, sparse
from scipy.sparse.linalg import splu
from sklearn.base import (
    BaseEstimator,
    ClassNamePrefixFeaturesOutMixin,
    TransformerMixin,
)
from sklearn.utils import check_random_state
from sklearn.utils.extmath import svd_flip

from infimum.data.doors import rows, samples
from infimum.errors import DataError, InvalidParameterError
from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.models.embedding.manifolds._local_geometry import (
    barycentric_weights,
    hessian_misfit,
    modified_misfit,
    tangent_misfit,
    weights_misfit,
)
from infimum.models.leading_eigenpairs import leading_eigenpairs
from infimum.models.neighbors import NearestNeighbors
from infimum.parameters import Choice, Domains, check_parameters, nonnegative, whole
from infimum.typing import Indices, Matrix, Vector

__all__ = ["LocallyLinearEmbedding", "locally_linear_embedding"]

_METHODS = Choice(("standard", "hessian", "modified", "ltsa"))
_SOLVERS = Choice(("auto", "arpack", "dense"))
#: Up to so many samples the whole spectrum costs no more than a part of it.
DIRECT = 500
#: What keeps the misfit invertible, relative to its largest entry.
SHIFT = 1e-10


class LocallyLinearEmbedding(
    ClassNamePrefixFeaturesOutMixin,  # type: ignore[misc]
    TransformerMixin,  # type: ignore[misc]
    BaseEstimator,  # type: ignore[misc]
):
    r"""Points that obey the same local rules as the samples, in fewer dimensions.

    .. math:: \min_Y \sum_i \Big\| y_i - \sum_j w_{ij} y_j \Big\|^2,
              \quad Y^\top Y = I,

    where the weights write each sample as a mixture of its neighbours. "modified" asks
    the same of all weights that do so about as well. The other two methods ask that
    points are affine functions ("ltsa"), or have no second derivative ("hessian"),
    along each tangent plane.

    Parameters
    ----------
    n_neighbors : int, default=5
    n_components : int, default=2
    reg : float, default=1e-3
        Ridge of the weights, relative to the trace of their system.
    eigen_solver : {"auto", "arpack", "dense"}, default="auto"
        "dense" decomposes the whole misfit; "arpack" stands for block Krylov with its
        inverse, which "auto" takes for many samples.
    tol : float, default=1e-6
        Relative residual at which block Krylov stops.
    max_iter : int, default=100
        Most block products.
    method : {"standard", "hessian", "modified", "ltsa"}, default="standard"
        "hessian" needs more than d (d + 3) / 2 neighbours for d components, "modified"
        and "ltsa" more than d.
    hessian_tol : float, default=1e-4
        A second derivative that sums to less over the neighbours is not scaled.
    modified_tol : float, default=1e-12
        Weights whose sums differ by less than this are not turned.
    neighbors_algorithm : str, default="auto"
        As in `infimum.models.neighbors.NearestNeighbors`.
    random_state : int, RandomState or None, default=None
    n_jobs : int, optional
        Accepted for compatibility; all cores are used, the answer is the same.

    Attributes
    ----------
    embedding_ : ndarray of shape (n_samples, n_components)
    reconstruction_error_ : float
        The sum of the eigenvalues of the misfit, its least value.
    eigenvalues_ : ndarray of shape (n_components,)
    nbrs_ : NearestNeighbors

    Examples
    --------
    >>> import numpy as np
    >>> angle = np.linspace(0, 3, 50)
    >>> arc = np.column_stack((np.cos(angle), np.sin(angle)))
    >>> model = LocallyLinearEmbedding(n_neighbors=6, n_components=1)
    >>> flat = model.fit_transform(arc)[:, 0]
    >>> bool(abs(np.corrcoef(flat, angle)[0, 1]) > 0.99)
    True
    """

    _domains: ClassVar[Domains] = {
        "n_neighbors": whole(1),
        "n_components": whole(1),
        "reg": nonnegative,
        "eigen_solver": _SOLVERS,
        "tol": nonnegative,
        "max_iter": whole(1),
        "method": _METHODS,
    }

    def __init__(
        self,
        *,
        n_neighbors: int = 5,
        n_components: int = 2,
        reg: float = 1e-3,
        eigen_solver: str = "auto",
        tol: float = 1e-6,
        max_iter: int = 100,
        method: str = "standard",
        hessian_tol: float = 1e-4,
        modified_tol: float = 1e-12,
        neighbors_algorithm: str = "auto",
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.n_neighbors = n_neighbors
        self.n_components = n_components
        self.reg = reg
        self.eigen_solver = eigen_solver
        self.tol = tol
        self.max_iter = max_iter
        self.method = method
        self.hessian_tol = hessian_tol
        self.modified_tol = modified_tol
        self.neighbors_algorithm = neighbors_algorithm
        self.random_state = random_state
        self.n_jobs = n_jobs

    @whole_or_not_at_all
    def fit(self, X: Any, y: Any = None) -> Self:
        """Find the points; return self.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : ignored
        """
        check_parameters(self)
        X = rows(self, X, moderate=True, dtype=np.float64, accept_sparse=False).X
        n, k = len(X), int(self.n_neighbors)
        if k >= n or int(self.n_components) >= n:
            raise DataError(
                "LocallyLinearEmbedding needs more samples than neighbours and "
                f"components, got n_samples={n} for {k} and {self.n_components}."
            )
        self.nbrs_ = NearestNeighbors(
            n_neighbors=k, algorithm=self.neighbors_algorithm
        ).fit(X)
        misfit = self._misfit(X, self.nbrs_.kneighbors(return_distance=False))
        self.eigenvalues_, self.embedding_ = self._flattest(misfit)
        self.reconstruction_error_ = np.float64(self.eigenvalues_.sum())
        self._n_features_out = self.embedding_.shape[1]
        return self

    def fit_transform(self, X: Any, y: Any = None) -> Matrix:
        """Fit and return the points of the same samples."""
        return np.asarray(self.fit(X).embedding_)

    def transform(self, X: Any) -> Matrix:
        """Return new samples as the mixtures of points that they are of samples.

        One that coincides with a sample of the fit gets its point.

        Parameters
        ----------
        X : array-like of shape (n_new, n_features)
        """
        X = samples(self, X, moderate=True, dtype=np.float64, accept_sparse=False)
        known = self.nbrs_._fit_X
        far, names = self.nbrs_.kneighbors(X, int(self.n_neighbors))
        weights = barycentric_weights(X, known, names, float(self.reg))
        placed = np.einsum("ik,ikd->id", weights, self.embedding_[names])
        same = far[:, 0] == 0
        placed[same] = self.embedding_[names[same, 0]]
        return np.asarray(placed)

    def _misfit(self, X: Matrix, names: Indices) -> Any:
        count = int(self.n_components)
        if self.method == "standard":
            weights = barycentric_weights(X, X, names, float(self.reg))
            return weights_misfit(weights, names)
        needed = 1 + (count * (count + 3) // 2 if self.method == "hessian" else count)
        if names.shape[1] < needed:
            raise InvalidParameterError(
                f"LocallyLinearEmbedding.n_neighbors must be at least {needed} for "
                f"method={self.method!r} and {count} components, got "
                f"{names.shape[1]}."
            )
        if X.shape[1] < count:
            raise DataError(
                f"LocallyLinearEmbedding with method={self.method!r} needs as many "
                f"features as components, got n_features={X.shape[1]} for {count}."
            )
        if self.method == "ltsa":
            return tangent_misfit(X, names, count)
        if self.method == "modified":
            reg, tol = float(self.reg), float(self.modified_tol)
            return modified_misfit(X, names, count, reg, tol)
        return hessian_misfit(X, names, count, float(self.hessian_tol))

    def _flattest(self, misfit: Any) -> tuple[Vector, Matrix]:
        """Return the vectors of least misfit at right angles to the constant one."""
        n, count = misfit.shape[0], int(self.n_components)
        whole_spectrum = self.eigen_solver == "dense" or (
            self.eigen_solver == "auto" and n <= DIRECT
        )
        if whole_spectrum or 4 * (count + 1) > n:
            values, vectors = linalg.eigh(
                misfit.toarray(), subset_by_index=[0, count], overwrite_a=True
            )
        else:
            size = SHIFT * float(abs(misfit).max())
            shifted: Any = misfit + size * sparse.eye_array(n, format="csr")
            factors = splu(sparse.csc_array(shifted))
            draw = check_random_state(self.random_state)
            found = leading_eigenpairs(
                factors.solve,
                n,
                count + 1,
                tol=max(float(self.tol), 1e-12),
                max_products=int(self.max_iter),
                random_state=int(draw.randint(2**31 - 1)),
            )
            values, vectors = 1.0 / found.values - size, found.vectors
        vectors = svd_flip(vectors[:, 1:], None)[0]
        return np.maximum(values[1:], 0.0), np.asarray(vectors)


def locally_linear_embedding(
    X: Any,
    *,
    n_neighbors: int,
    n_components: int,
    reg: float = 1e-3,
    eigen_solver: str = "auto",
    tol: float = 1e-6,
    max_iter: int = 100,
    method: str = "standard",
    hessian_tol: float = 1e-4,
    modified_tol: float = 1e-12,
    random_state: Any = None,
    n_jobs: int | None = None,
) -> tuple[Matrix, float]:
    """Return the points of `LocallyLinearEmbedding` and the misfit that is left.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features), or a fitted NearestNeighbors
    n_neighbors, n_components, reg, eigen_solver, tol, max_iter, method, hessian_tol, \
modified_tol, random_state, n_jobs
        As in `LocallyLinearEmbedding`.

    Returns
    -------
    points : ndarray of shape (n_samples, n_components)
    squared_error : float

    Examples
    --------
    >>> import numpy as np
    >>> line = np.outer(np.arange(9.0), [1.0, 2.0])
    >>> points, error = locally_linear_embedding(line, n_neighbors=3, n_components=1)
    >>> points.shape, bool(error < 1e-3)
    ((9, 1), True)
    """
    model = LocallyLinearEmbedding(
        n_neighbors=n_neighbors,
        n_components=n_components,
        reg=reg,
        eigen_solver=eigen_solver,
        tol=tol,
        max_iter=max_iter,
        method=method,
        hessian_tol=hessian_tol,
        modified_tol=modified_tol,
        random_state=random_state,
        n_jobs=n_jobs,
    )
    samples = X._fit_X if isinstance(X, NearestNeighbors) else X
    points = model.fit_transform(samples)
    return points, model.reconstruction_error_
