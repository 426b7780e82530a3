"""Linear discriminant analysis: normal classes with one covariance for all."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from scipy import linalg
from scipy.special import expit, log_expit, log_softmax, softmax
from sklearn.base import (
    BaseEstimator,
    ClassifierMixin,
    ClassNamePrefixFeaturesOutMixin,
    TransformerMixin,
)

from infimum.data.doors import labelled, samples, streams, winners
from infimum.errors import DataError, InvalidParameterError
from infimum.models._guarded_fit import forget, whole_or_not_at_all
from infimum.models.probabilistic._class_moments import ClassMoments, class_moments
from infimum.models.probabilistic._discriminant import (
    check_covariance_parameters,
    class_priors,
    estimated,
    refuse_empty,
)
from infimum.parameters import Choice, Domains, check_parameters, or_none, whole
from infimum.typing import Indices, Matrix, Vector

__all__ = ["LinearDiscriminantAnalysis"]

_SOLVERS = Choice(("svd", "lsqr", "eigen"))
#: What is kept in the precision of the rows.
_NUMBERS = (
    "coef_", "intercept_", "means_", "priors_", "scalings_", "xbar_", "covariance_",
    "explained_variance_ratio_",
)  # fmt: skip
#: Directions in which a covariance is less than this share of its largest are flat.
FLAT = 1e-12


class LinearDiscriminantAnalysis(
    ClassNamePrefixFeaturesOutMixin,  # type: ignore[misc]
    ClassifierMixin,  # type: ignore[misc]
    TransformerMixin,  # type: ignore[misc]
    BaseEstimator,  # type: ignore[misc]
):
    r"""Bayes' rule for normal classes that differ in their means only.

    .. math:: \log p(k \mid x) = x^\top Σ^{-1} m_k - \tfrac12 m_k^\top Σ^{-1} m_k
              + \log π_k + \text{const}

    Parameters, attributes and answers are scikit-learn's. Besides it takes sample
    weights, sparse rows without filling them, and batches.

    Parameters
    ----------
    solver : {'svd', 'lsqr', 'eigen'}, default='svd'
        'svd' leaves out directions in which no class varies; 'lsqr' and 'eigen' can
        shrink the covariance; 'lsqr' has no `transform`.
    shrinkage : 'auto', float in [0, 1] or None, default=None
        Share by which the covariance moves towards a multiple of the identity;
        'auto' is Ledoit and Wolf's.
    priors : array-like of shape (n_classes,), optional
        Probabilities of the classes; by default their shares of the rows.
    n_components : int, optional
        Number of directions that `transform` returns.
    store_covariance : bool, default=False
        Whether 'svd' keeps `covariance_` too.
    tol : float, default=1e-4
        Deviation below which 'svd' takes a direction for flat.
    covariance_estimator : estimator, optional
        Something with `fit` and `covariance_`, for 'lsqr' and 'eigen'.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    priors_ : ndarray of shape (n_classes,)
    means_ : ndarray of shape (n_classes, n_features)
    coef_ : ndarray of shape (n_classes or 1, n_features)
    intercept_ : ndarray of shape (n_classes or 1,)
    covariance_ : ndarray of shape (n_features, n_features)
        The mean of the classes' covariances; not for 'svd' unless asked for.
    xbar_ : ndarray of shape (n_features,)
        The mean of all rows; for 'svd' only.
    scalings_ : ndarray of shape (n_features, rank)
        The directions of `transform`; not for 'lsqr'.
    explained_variance_ratio_ : ndarray of shape (n_components,)
        Shares of the variance between classes; not for 'lsqr'.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[-1, -1], [-2, -1], [-3, -2], [1, 1], [2, 1], [3, 2]])
    >>> model = LinearDiscriminantAnalysis().fit(X, [1, 1, 1, 2, 2, 2])
    >>> model.predict([[-0.8, -1]]), model.means_
    (array([1]), array([[-2.        , -1.33333333],
           [ 2.        ,  1.33333333]]))
    """

    _domains: ClassVar[Domains] = {
        "solver": _SOLVERS,
        "n_components": or_none(whole(1)),
    }

    def __init__(
        self,
        solver: str = "svd",
        shrinkage: Any = None,
        priors: Any = None,
        n_components: int | None = None,
        store_covariance: bool = False,  # noqa: FBT001, FBT002  # as scikit-learn's
        tol: float = 1e-4,
        covariance_estimator: Any = None,
    ) -> None:
        self.solver = solver
        self.shrinkage = shrinkage
        self.priors = priors
        self.n_components = n_components
        self.store_covariance = store_covariance
        self.tol = tol
        self.covariance_estimator = covariance_estimator

    @whole_or_not_at_all
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn means, covariance and the rule; return self.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Samples, float32 or float64.
        y : array-like of shape (n_samples,)
            Labels, of any sortable kind.
        sample_weight : array-like of shape (n_samples,), optional
            A weight of k means the same as k copies of the sample.
        """
        self._check()
        rows = labelled(self, X, y, sample_weight, moderate=True, weightless="drop")
        self.classes_ = rows.classes
        X, codes, weights = rows.X, rows.y, rows.shares()
        if self.solver == "svd" and X.shape[1] > X.shape[0]:
            self._fit_wide(X, codes, weights)
            return self
        self._settle(self._added(X, codes, weights), X, codes, weights)
        return self

    @whole_or_not_at_all
    def partial_fit(
        self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None
    ) -> Self:
        """Learn from one more batch; return self.

        However the rows are cut into batches, the model is that of `fit` on all.

        Parameters
        ----------
        X, y, sample_weight
            As in `fit`.
        classes : array-like, optional
            All labels that will ever come; needed in the first call only.
        """
        self._check()
        if isinstance(self.shrinkage, str) or self.covariance_estimator is not None:
            raise InvalidParameterError(
                "LinearDiscriminantAnalysis.partial_fit takes no shrinkage='auto' and "
                "no covariance_estimator: they need all rows at once."
            )
        first = not hasattr(self, "classes_")
        batch: dict[str, Any] = {"first": first, "door": labelled, "moderate": True}
        rows = streams(self, X, y, sample_weight, classes, **batch)
        self.classes_ = rows.classes
        X, codes, weights = rows.X, rows.y, rows.shares()
        moments = self._added(X, codes, weights)
        if hasattr(self, "_scatters"):
            before = ClassMoments(self._counts, self._centres, self._scatters)
            moments = before.merged(moments)
        elif hasattr(self, "coef_"):
            raise DataError(
                "LinearDiscriminantAnalysis.partial_fit cannot go on from a fit with "
                "more features than rows: begin with partial_fit."
            )
        self._keep_moments(moments)
        if moments.counts.all():
            self._settle(moments, X, codes, weights)
        return self

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "coef_")

    def decision_function(self, X: Any) -> Vector:
        """Return log-odds (two classes) or log-posteriors up to a constant."""
        X = samples(self, X)
        scores: Vector = np.asarray(X @ self.coef_.T + self.intercept_)
        return scores.ravel() if len(self.intercept_) == 1 else scores

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the likeliest class."""
        scores = self.decision_function(X)
        return np.asarray(self.classes_[winners(scores)])

    def predict_proba(self, X: Any) -> Matrix:
        """Return the posterior of each class."""
        scores = self.decision_function(X)
        if scores.ndim == 1:
            return np.column_stack([expit(-scores), expit(scores)])
        return np.asarray(softmax(scores, axis=1))

    def predict_log_proba(self, X: Any) -> Matrix:
        """Return the logarithm of the posterior of each class."""
        scores = self.decision_function(X)
        if scores.ndim == 1:
            return np.column_stack([log_expit(-scores), log_expit(scores)])
        return np.asarray(log_softmax(scores, axis=1))

    def transform(self, X: Any) -> Matrix:
        """Project on the directions that separate the classes best."""
        if self.solver == "lsqr":
            raise NotImplementedError(
                "transform not implemented for 'lsqr' solver (use 'svd' or 'eigen')."
            )
        X = samples(self, X)
        found = np.asarray(X @ self.scalings_)
        if self.solver == "svd":
            found = found - self.xbar_ @ self.scalings_
        return found[:, : self._max_components]

    @property
    def _n_features_out(self) -> int:
        return int(self._max_components)

    def _check(self) -> None:
        check_parameters(self)
        check_covariance_parameters(self)
        forget(self, "covariance_", "xbar_", "scalings_", "explained_variance_ratio_")

    def _added(self, X: Any, codes: Indices, weights: Vector) -> ClassMoments:
        """Return the moments of rows; one scatter is enough if the priors follow."""
        count = len(self.classes_)
        alike = self.solver == "svd" and not self.store_covariance
        pooled = self.priors is None or alike
        return class_moments(X, codes, weights, count, pooled=pooled)

    def _keep_moments(self, moments: ClassMoments) -> None:
        """Keep what the next batch is added to."""
        self._counts, self._centres = moments.counts, moments.means
        self._scatters = moments.scatters

    def _settle(
        self, moments: ClassMoments, X: Any, codes: Indices, weights: Vector
    ) -> None:
        """Work out the rule from the moments; rows are needed by some estimates."""
        self._keep_moments(moments)
        self._begin(moments.counts, moments.means)
        if self.solver == "svd":
            within = moments.scatters.sum(axis=0) / moments.total
            units = np.sqrt(np.diag(within))
            units[units == 0] = 1.0
            values, axes = np.linalg.eigh(within / np.outer(units, units))
            spread = np.sqrt(np.maximum(values, 0.0))[::-1]
            self._solve_svd(moments.total, (units, spread, axes.T[::-1]))
            if self.store_covariance:
                self.covariance_ = moments.covariance(self.priors_)
        else:
            self.covariance_ = self._covariance(moments, X, codes, weights)
            if self.solver == "lsqr":
                self._solve_lsqr()
            else:
                self._solve_eigen(
                    estimated(self, X, weights, moments.total_covariance())
                )
        self._shape(X.dtype)

    def _fit_wide(self, X: Any, codes: Indices, weights: Vector) -> None:
        """Fit by the singular values of the rows, which are fewer than the features."""
        rows = np.asarray(X.toarray() if hasattr(X, "indptr") else X, dtype=np.float64)
        count = len(self.classes_)
        counts: Vector = np.bincount(codes, weights, count).astype(float)
        means = (
            np.stack([weights[codes == k] @ rows[codes == k] for k in range(count)])
            / np.where(counts > 0, counts, 1.0)[:, None]
        )
        forget(self, "_counts", "_centres", "_scatters")
        self._begin(counts, means)
        apart = (rows - means[codes]) * np.sqrt(weights / weights.sum())[:, None]
        units = np.sqrt((apart**2).sum(axis=0))
        units[units == 0] = 1.0
        _, spread, axes = linalg.svd(apart / units, full_matrices=False)
        self._solve_svd(float(weights.sum()), (units, spread, axes))
        if self.store_covariance:
            moments = class_moments(rows, codes, weights, count, pooled=False)
            self.covariance_ = moments.covariance(self.priors_)
        self._shape(X.dtype)

    def _begin(self, counts: Vector, means: Matrix) -> None:
        refuse_empty(self, counts)
        count, features = means.shape
        if counts.sum() <= count and (counts == 1.0).all():
            raise DataError(
                "LinearDiscriminantAnalysis: The number of samples must be more than "
                f"the number of classes, got one sample of each of {count} classes."
            )
        self.priors_ = class_priors(self, counts)
        self.means_ = means
        most = min(count - 1, features)
        if self.n_components is not None and self.n_components > most:
            raise InvalidParameterError(
                "LinearDiscriminantAnalysis.n_components cannot be larger than "
                f"min(n_features, n_classes - 1) = {most}, got {self.n_components}."
            )
        self._max_components = most if self.n_components is None else self.n_components

    def _solve_svd(self, total: float, within: tuple[Vector, Vector, Matrix]) -> None:
        units, spread, axes = within
        self.xbar_ = self.priors_ @ self.means_
        kept = spread > self.tol
        white = (axes[kept] / units).T / spread[kept]
        apart = self.means_ - self.xbar_
        share = np.sqrt(total * self.priors_ / (len(self.classes_) - 1))
        _, sizes, turn = linalg.svd(
            (share[:, None] * apart) @ white, full_matrices=False
        )
        between = float((sizes**2).sum())
        ratios = sizes**2 / between if between > 0 else np.zeros_like(sizes)
        self.explained_variance_ratio_ = ratios[: self._max_components]
        rank = int((sizes > self.tol * sizes[:1]).sum()) if len(sizes) else 0
        self.scalings_ = white @ turn.T[:, :rank]
        coef = apart @ self.scalings_
        with np.errstate(divide="ignore"):
            level = np.log(self.priors_) - 0.5 * (coef**2).sum(axis=1)
        self.coef_ = coef @ self.scalings_.T
        self.intercept_ = level - self.coef_ @ self.xbar_

    def _solve_lsqr(self) -> None:
        self.coef_ = linalg.lstsq(self.covariance_, self.means_.T)[0].T
        self._level()

    def _solve_eigen(self, total: Matrix) -> None:
        """Diagonalise the scatter between classes in units of that within them."""
        values, axes = np.linalg.eigh(self.covariance_)
        kept = values > FLAT * max(float(values[-1]), np.finfo(float).tiny)
        white = axes[:, kept] / np.sqrt(values[kept])
        between = white.T @ (total - self.covariance_) @ white
        sizes, turn = np.linalg.eigh(between)
        sizes, directions = sizes[::-1], white @ turn[:, ::-1]
        whole = float(sizes.sum())
        ratios = sizes / whole if whole > 0 else np.zeros_like(sizes)
        self.explained_variance_ratio_ = ratios[: self._max_components]
        self.scalings_ = directions
        self.coef_ = self.means_ @ directions @ directions.T
        self._level()

    def _level(self) -> None:
        with np.errstate(divide="ignore"):
            level = np.log(self.priors_)
        self.intercept_ = level - 0.5 * (self.means_ * self.coef_).sum(axis=1)

    def _covariance(
        self, moments: ClassMoments, X: Any, codes: Indices, weights: Vector
    ) -> Matrix:
        """Return the mean over classes of their covariances, each shrunk."""
        if not isinstance(self.shrinkage, str) and self.covariance_estimator is None:
            return estimated(self, X, weights, moments.covariance(self.priors_))
        mean = np.zeros((X.shape[1], X.shape[1]))
        for k, prior in enumerate(self.priors_):
            mine = codes == k
            mean += prior * estimated(self, X, weights, None, mine)
        return mean

    def _shape(self, dtype: Any) -> None:
        """Give two classes one score, and the precision of the rows to all."""
        if len(self.classes_) == 2:  # noqa: PLR2004
            self.coef_ = np.diff(self.coef_, axis=0)
            with np.errstate(invalid="ignore"):
                self.intercept_ = np.diff(self.intercept_)
        if dtype == np.float32:
            for name in filter(vars(self).__contains__, _NUMBERS):
                setattr(self, name, getattr(self, name).astype(np.float32))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags
