"""Spectral clustering: cuts through a graph of the samples."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.utils import check_random_state

from infimum.data.doors import check_fitted
from infimum.errors import DataError
from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.models.clustering.spectral._spectral_labels import assign
from infimum.models.graph import LaplacianSpectrum
from infimum.models.graph._affinity import (
    admit,
    affinity,
    affinity_to,
    coinciding,
    is_given,
    without_loops,
)
from infimum.models.graph._out_of_sample import extend, orient
from infimum.models.graph.laplacian import LAPLACIANS
from infimum.models.graph.spectrum import smallest_eigenpairs
from infimum.models.warnings import UncertifiedWarning
from infimum.parameters import (
    Choice,
    Domains,
    besides,
    check_parameters,
    nonnegative,
    or_none,
    real,
    whole,
)
from infimum.typing import Matrix

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

__all__ = ["SpectralClustering"]

_SOLVERS = Choice((None, "arpack", "lobpcg", "amg"))
_RULES = Choice(("kmeans", "discretize", "cluster_qr"))
#: Residuals that move no label, and those that may.
FINE, COARSE = 1e-4, 1e-2
#: Vectors multiplied at a time: as wide as two registers, whatever is wanted.
WIDTH = 8


class SpectralClustering(ClusterMixin, BaseEstimator):  # type: ignore[misc]
    r"""Clusters of any shape: parts of a similarity graph with few edges between them.

    The first eigenvectors of a Laplacian place each sample in a space of few
    dimensions, where clusters of the graph become heaps of points; k-means tells them
    apart. It relaxes the minimisation of

    .. math:: \sum_{A} \frac{\mathrm{cut}(A, A^c)}{\mathrm{vol}(A)}
              \quad\text{(normalised)},\qquad
              \sum_{A} \frac{\mathrm{cut}(A, A^c)}{|A|} \quad\text{(unnormalised)}

    Eigenvectors come from block Krylov on sparse products, with residuals; those of
    eigenvalue 0, one for each connected component, are known without it. New samples
    are placed by the eigenvectors' own equation, see `predict`.

    Parameters
    ----------
    n_clusters : int, default=8
    eigen_solver : {None, "arpack", "lobpcg", "amg"}, default=None
        Accepted for compatibility: all stand for block Krylov.
    n_components : int, optional
        Eigenvectors used; as many as clusters unless given.
    random_state : int, RandomState or None, default=None
    n_init : int, default=10
        Starts of k-means; among many samples they compete on some of them, and the
        best goes on with all.
    gamma : float, default=1.0
        Of the kernels "rbf", "laplacian", "polynomial", "sigmoid" and "chi2".
    affinity : str, Kernel or callable, default="rbf"
        How alike samples are: "nearest_neighbors" (a sparse graph), a kernel of
        `infimum.kernels` or scikit-learn's name of one, a function of two samples,
        "precomputed" weights, or "precomputed_nearest_neighbors" from distances.
    n_neighbors : int, default=10
        Neighbours in the sparse graph, the sample itself among them.
    eigen_tol : float or "auto", default="auto"
        Residual at which block Krylov stops; "auto" stands for 1e-4.
    assign_labels : {"kmeans", "discretize", "cluster_qr"}, default="kmeans"
    degree, coef0, kernel_params
        Further parameters of a kernel.
    n_jobs, verbose
        Accepted for compatibility: all cores are used, nothing is printed.
    laplacian : {"random_walk", "symmetric", "unnormalized"}, default="random_walk"
        Normalised ones keep their meaning as samples grow in number; the unnormalised
        one may end up parting a single sample from the rest. "symmetric" scales the
        rows to length 1.
    tau : float, default=0.0
        Regularisation: tau/n is added to every weight. About the mean degree keeps
        small sets that hang on one edge from passing for clusters.

    Attributes
    ----------
    labels_ : ndarray of shape (n_samples,)
    affinity_matrix_ : ndarray or csr_array of shape (n_samples, n_samples)
    eigenvalues_ : ndarray of shape (n_components,)
        The smallest of the Laplacian.
    residuals_ : ndarray of shape (n_components,)
        There is an eigenvalue within this distance of the one stated.
    embedding_ : ndarray of shape (n_samples, n_components)
        The rows that were clustered.
    cluster_centers_ : ndarray of shape (n_clusters, n_components)
        Their means.
    n_connected_components_ : int

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[0.0], [0.1], [0.2], [5.0], [5.1], [5.2]])
    >>> model = SpectralClustering(2, random_state=0).fit(X)
    >>> len(set(model.labels_[:3].tolist())), len(set(model.labels_.tolist()))
    (1, 2)
    >>> bool(model.predict([[4.9]])[0] == model.labels_[-1])
    True
    """

    _domains: ClassVar[Domains] = {
        "coef0": real,
        "degree": nonnegative,
        "n_neighbors": whole(1),
        "n_components": or_none(whole(1)),
        "eigen_tol": besides(nonnegative, "auto"),
        "n_clusters": whole(1),
        "n_init": whole(1),
        "eigen_solver": _SOLVERS,
        "assign_labels": _RULES,
        "laplacian": LAPLACIANS,
        "tau": nonnegative,
    }

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        eigen_solver: str | None = None,
        n_components: int | None = None,
        random_state: Any = None,
        n_init: int = 10,
        gamma: float = 1.0,
        affinity: Any = "rbf",
        n_neighbors: int = 10,
        eigen_tol: Any = "auto",
        assign_labels: str = "kmeans",
        degree: float = 3,
        coef0: float = 1,
        kernel_params: dict[str, Any] | None = None,
        n_jobs: int | None = None,
        verbose: bool = False,
        laplacian: str = "random_walk",
        tau: float = 0.0,
    ) -> None:
        self.n_clusters = n_clusters
        self.eigen_solver = eigen_solver
        self.n_components = n_components
        self.random_state = random_state
        self.n_init = n_init
        self.gamma = gamma
        self.affinity = affinity
        self.n_neighbors = n_neighbors
        self.eigen_tol = eigen_tol
        self.assign_labels = assign_labels
        self.degree = degree
        self.coef0 = coef0
        self.kernel_params = kernel_params
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.laplacian = laplacian
        self.tau = tau

    @whole_or_not_at_all
    def fit(self, X: Any, y: Any = None) -> Self:
        """Find the clusters; return self.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Samples; weights or distances, n_samples × n_samples, if they are given.
        y : ignored
        """
        check_parameters(self)
        X = admit(self, X)
        n, count = X.shape[0], int(self.n_components or self.n_clusters)
        if n < max(count, int(self.n_clusters)):
            raise DataError(
                f"SpectralClustering needs as many samples as clusters and components, "
                f"got n_samples={n} for {max(count, int(self.n_clusters))}."
            )
        draw = check_random_state(self.random_state)
        self.affinity_matrix_ = affinity(self, X)
        found = smallest_eigenpairs(
            without_loops(self.affinity_matrix_),
            count,
            self._walk(),
            tau=float(self.tau),
            tol=FINE if self.eigen_tol == "auto" else float(self.eigen_tol),
            seed=int(draw.randint(2**31 - 1)),
            width=WIDTH,
        )
        self._keep(found, X)
        self.labels_ = assign(self.assign_labels, self.embedding_, self, draw)
        self.cluster_centers_ = _means(
            self.embedding_, self.labels_, int(self.n_clusters)
        )
        return self

    def predict(self, X: Any) -> NDArray[np.int32]:
        r"""Return the cluster of new samples.

        The rows g of the embedding obey :math:`(1 - λ)\, d_i g_i = \sum_j w_{ij} g_j`,
        which gives a row to whatever has weights to the samples; its cluster is that of
        the nearest mean. Samples of the fit keep their label.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_new, n_features)
            Samples; weights or distances to the samples of the fit if they were given.
        """
        check_fitted(self)
        X = admit(self, X, reset=False)
        rows = affinity_to(self, X, self._known)
        placed = extend(
            rows,
            self._coordinates,
            self.eigenvalues_,
            tau=float(self.tau),
            unnormalized=self.laplacian == "unnormalized",
        )
        placed = orient(placed) if self.laplacian == "symmetric" else placed
        centres = self.cluster_centers_
        apart = np.sum(centres**2, axis=1) - 2.0 * placed @ centres.T
        labels = np.asarray(apart.argmin(axis=1), dtype=np.int32)
        same, own = coinciding(self, X)
        labels[same] = self.labels_[own]
        return labels

    def spectrum(self, count: int | None = None) -> LaplacianSpectrum:
        """Return more eigenvalues than were used, to see the gap after them."""
        check_fitted(self)
        n = self.affinity_matrix_.shape[0]
        wanted = min(n, 2 * len(self.eigenvalues_) if count is None else int(count))
        kind, tau = self._walk(), float(self.tau)
        bare = without_loops(self.affinity_matrix_)
        return smallest_eigenpairs(bare, wanted, kind, tau=tau, tol=FINE)

    def plot_spectrum(self, count: int | None = None) -> Figure:
        """Return a figure of the eigenvalues with their largest gap marked."""
        return self.spectrum(count).plot()

    def _walk(self) -> str:
        """Both normalised forms are found as the random walk's, see `_keep`."""
        plain = self.laplacian == "unnormalized"
        return "unnormalized" if plain else "random_walk"

    def _keep(self, found: LaplacianSpectrum, X: Any) -> None:
        self._known = None if is_given(self) else X
        self._coordinates = found.vectors
        self.eigenvalues_, self.residuals_ = found.values, found.residuals
        self.n_connected_components_ = found.components
        turned = self.laplacian == "symmetric"
        self.embedding_ = orient(found.vectors) if turned else found.vectors
        if found.components > max(int(self.n_clusters), len(found.values)):
            warnings.warn(
                f"SpectralClustering: the graph has {found.components} connected "
                f"components, more than the {self.n_clusters} clusters asked for; "
                "small ones share a cluster. Join it by more neighbours, a wider "
                "kernel or tau.",
                UserWarning,
                stacklevel=4,
            )
        if found.residuals.max() > COARSE * max(1.0, float(found.degrees.max())):
            warnings.warn(
                "SpectralClustering: eigenvectors did not converge, their residual is "
                f"{found.residuals.max():.1e}; a normalised Laplacian or tau may help.",
                UncertifiedWarning,
                stacklevel=4,
            )

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.pairwise = is_given(self)
        return tags


def _means(rows: Matrix, labels: Any, count: int) -> Matrix:
    """Return the mean row of each cluster; far away from all where there is none."""
    sums = np.zeros((count, rows.shape[1]))
    np.add.at(sums, labels, rows)
    sizes = np.bincount(labels, minlength=count)[:, None]
    away = 1e6 * (1.0 + np.abs(rows).max(initial=0.0))
    return np.asarray(np.where(sizes > 0, sums / np.maximum(sizes, 1), away))
