"""Nearest neighbours: a search among samples, unsupervised."""

from __future__ import annotations

from typing import Any, ClassVar, Self

from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.models.neighbors._door import admit_samples
from infimum.models.neighbors._neighbors_model import KNeighborsQueries, RadiusQueries
from infimum.parameters import (
    Domains,
    besides,
    check_parameters,
    nonnegative,
    or_none,
    whole,
)

__all__ = ["NearestNeighbors"]


class NearestNeighbors(KNeighborsQueries, RadiusQueries):
    """Samples that can be asked which of them are nearest to something new.

    Answers are exact. Euclidean distances in few dimensions are searched with a k-d
    tree, in many with products of blocks in float32, which differences in float64 rank
    and a bound on rounding proves; every other distance is computed block by block.
    Equally near samples come in their own order, whichever search found them.

    Parameters
    ----------
    n_neighbors : int, default=5
    radius : float, default=1.0
    algorithm : {'auto', 'ball_tree', 'kd_tree', 'brute'}, default='auto'
        How to search; the answer is the same. Euclidean distances (weighted and
        Mahalanobis ones included) of dense samples have the k-d tree for either tree.
        For other distances 'ball_tree' is a tree of balls, which spares comparisons
        where the triangle inequality holds: of a function it is taken for granted.
        All else is searched by blocks.
    leaf_size : int, default=30
        Most samples in a leaf of the tree.
    metric : str, Kernel or callable, default='minkowski'
        'euclidean', 'manhattan', 'chebyshev', 'minkowski', 'cosine', 'hamming',
        'mahalanobis', 'nan_euclidean' (of the features that both samples have) and
        others of SciPy; 'edit_distance' between texts; 'precomputed', a table of
        distances or a sparse graph of them as `kneighbors_graph` makes; a kernel of
        `infimum.kernels`, whose distance is that of its feature space; or a function
        of two samples, which may be of any kind.
    p : float, default=2
        Power of the Minkowski distance.
    metric_params : dict, optional
        Further parameters of the distance: 'w' weighs features, 'V' or 'VI' is the
        (inverse) covariance of 'mahalanobis', that of the samples by default.
    n_jobs : int, optional
        Accepted for compatibility; all cores are used, the answer is the same.

    Attributes
    ----------
    effective_metric_ : str
    effective_metric_params_ : dict
    n_samples_fit_ : int
    n_features_in_ : int

    Examples
    --------
    >>> model = NearestNeighbors(n_neighbors=2).fit([[0.0], [1.0], [5.0]])
    >>> model.kneighbors([[0.9]], return_distance=False)
    array([[1, 0]])
    >>> words = NearestNeighbors(n_neighbors=1, metric="edit_distance")
    >>> words.fit(["sitting", "knitting"]).kneighbors(["kitten"])
    (array([[3.]]), array([[0]]))
    """

    _domains: ClassVar[Domains] = {
        "n_neighbors": or_none(whole(1)),
        "radius": besides(nonnegative, None, float("inf")),
    }

    def __init__(
        self,
        *,
        n_neighbors: int = 5,
        radius: float = 1.0,
        algorithm: str = "auto",
        leaf_size: int = 30,
        metric: Any = "minkowski",
        p: float = 2,
        metric_params: dict[str, Any] | None = None,
        n_jobs: int | None = None,
    ) -> None:
        self.n_neighbors = n_neighbors
        self.radius = radius
        self.algorithm = algorithm
        self.leaf_size = leaf_size
        self.metric = metric
        self.p = p
        self.metric_params = metric_params
        self.n_jobs = n_jobs

    @whole_or_not_at_all
    def fit(self, X: Any, y: Any = None) -> Self:
        """Keep the samples in an order that is quick to search; return self.

        Parameters
        ----------
        X : array-like, sparse matrix or collection of n_samples
            Samples; their distances for ``metric='precomputed'``.
        y : ignored
        """
        check_parameters(self)
        X, _ = admit_samples(self, X)
        self._keep_samples(X)
        return self
