"""Classical multidimensional scaling: points from their distances, by eigenvectors."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import (
    BaseEstimator,
    ClassNamePrefixFeaturesOutMixin,
    TransformerMixin,
)

from infimum.data.doors import check_fitted
from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.models.embedding.scaling._distances import admit_distances, distances_to
from infimum.models.embedding.scaling._placing import (
    centre,
    mean_squares,
    place,
    principal_points,
)
from infimum.models.embedding.scaling.distance_geometry import (
    ORIGINS,
    estimate_dimension,
)
from infimum.parameters import Domains, check_parameters, or_none, whole
from infimum.typing import Matrix

__all__ = ["ClassicalMDS"]


class ClassicalMDS(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):  # type: ignore[misc]
    r"""Points whose distances are those given, or as near as eigenvectors come.

    .. math:: S = V Λ V^\top,\qquad X = V_d \sqrt{Λ_d}

    where S holds the inner products that the distances imply, see
    `gram_from_distances`. Distances of points in d dimensions are reproduced exactly,
    and the points up to a rigid motion; other distances lose what their spectrum has
    beyond d, including all that is negative.

    Parameters
    ----------
    n_components : int or None, default=2
        Dimensions; None for as many as the spectrum asks for (`estimate_dimension`).
    metric : str, Kernel or callable, default="euclidean"
        A distance as in `infimum.models.neighbors`, or "precomputed".
    metric_params : dict, optional
        Further parameters of the distance.
    origin : {"mean", "first"}, default="mean"
        Where the points' origin is: at their mean (double centring), or at the first of
        them. With exact distances that is a translation; when dimensions are dropped
        the mean is the better choice, since no point is special.

    Attributes
    ----------
    embedding_ : ndarray of shape (n_samples, n_components)
    eigenvalues_ : ndarray of shape (n_components,)
    residuals_ : ndarray of shape (n_components,)
        There is an eigenvalue within this distance of the one stated.
    dissimilarity_matrix_ : ndarray of shape (n_samples, n_samples)

    Examples
    --------
    >>> import numpy as np
    >>> model = ClassicalMDS(1, metric="precomputed")
    >>> points = model.fit_transform([[0, 3, 4], [3, 0, 1], [4, 1, 0]])
    >>> np.abs(points - points[0]).ravel().round(6)
    array([0., 3., 4.])
    """

    _domains: ClassVar[Domains] = {
        "n_components": or_none(whole(1)),
        "origin": ORIGINS,
    }

    def __init__(
        self,
        n_components: int | None = 2,
        *,
        metric: Any = "euclidean",
        metric_params: dict[str, Any] | None = None,
        origin: str = "mean",
    ) -> None:
        self.n_components = n_components
        self.metric = metric
        self.metric_params = metric_params
        self.origin = origin

    @whole_or_not_at_all
    def fit(self, X: Any, y: Any = None) -> Self:
        """Find the points; return self.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Samples; their distances for ``metric='precomputed'``.
        y : ignored
        """
        check_parameters(self)
        self._known, far = admit_distances(self, X, self.metric)
        n = len(far)
        wanted = estimate_dimension(far) if self.n_components is None else None
        count = min(n, int(wanted or self.n_components or 1))
        if self.origin == "first":
            squares = far**2
            gram = (squares[0] + squares[0][:, None] - squares) / 2.0
            found = principal_points(lambda V: np.asarray(gram @ V), n, count)
            self._offsets = squares[0]
        else:
            found = principal_points(centre(far), n, count)
            self._offsets = mean_squares(far)
        self.dissimilarity_matrix_ = far
        self.eigenvalues_, self.embedding_, self.residuals_ = found
        self._n_features_out = count
        return self

    def fit_transform(self, X: Any, y: Any = None) -> Matrix:
        """Fit and return the points of the same samples."""
        return np.asarray(self.fit(X).embedding_)

    def transform(self, X: Any) -> Matrix:
        r"""Return the points of new samples, from their distances to the old ones.

        .. math:: z = \tfrac12 Λ^{-1} X^\top (\bar d^2 - d^2(x, \cdot))

        (Gower, 1968): exact if the distances are those of points in `n_components`
        dimensions; samples of the fit get their own points back always.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_new, n_features)
            Samples; their distances to those of the fit for ``metric='precomputed'``.
        """
        check_fitted(self)
        squares = distances_to(self, X, self._known, self.metric) ** 2
        products = (self._offsets - squares) / 2.0
        if self.origin == "first":
            products += squares[:, :1] / 2.0
        return place(self.embedding_, self.eigenvalues_, products)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self.metric == "precomputed"
        tags.input_tags.sparse = self.metric != "precomputed"
        return tags
