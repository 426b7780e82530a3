"""Gaussian mixtures: samples come from several bell shapes, fitted by EM."""

from __future__ import annotations

import warnings
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, DensityMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from infimum.compiled import one_blas_thread
from infimum.data.validation import accept_table, accept_weights
from infimum.errors import DataError
from infimum.models.clustering._mixture_components import Components
from infimum.models.clustering._mixture_fit import (
    Ascent,
    Scales,
    Start,
    ascend,
    begin,
)
from infimum.models.clustering._mixture_given import (
    Given,
    free_parameters,
    from_standard,
    in_standard,
    precisions_of,
)
from infimum.models.clustering._mixture_shapes import factor_precisions
from infimum.models.clustering._mixture_steps import expect
from infimum.models.kernel._machine import whole_or_not_at_all
from infimum.parameters import Choice, check_domain, nonnegative, whole
from infimum.typing import Indices, Matrix, Vector

__all__ = ["GaussianMixture"]

_KINDS = Choice(("full", "tied", "diag", "spherical"))
_STARTS = Choice(("kmeans", "k-means++", "random", "random_from_data"))


class GaussianMixture(DensityMixin, BaseEstimator):  # type: ignore[misc]
    r"""A density that is a weighted sum of normal ones, fitted by EM.

    .. math:: p(x) = \sum_k π_k\, N(x \mid μ_k, Σ_k)

    Each step shares every sample among the components by how likely they made it, and
    gives each component the weighted moments of its share; without `reg_covar` the
    likelihood never falls. Clusters may be elongated, tilted and overlapping, and
    membership comes as a probability; for round clusters of equal width that shrinks
    to 0 this is k-means.

    Parameters
    ----------
    n_components : int, default=1
    covariance_type : {"full", "tied", "diag", "spherical"}, default="full"
        One covariance each, one for all, variances along the axes, one variance each.
    tol : float, default=1e-3
        Stop when a step raises the mean log likelihood by less.
    reg_covar : float, default=1e-6
        Added to every variance, so that none is 0.
    max_iter : int, default=100
    n_init : int, default=1
        Number of starts, of which the most likely is kept.
    init_params : str, default="kmeans"
        Where to begin: clusters by "kmeans", samples by "k-means++", shares at
        "random", or samples at random ("random_from_data").
    weights_init, means_init, precisions_init : array-like, default=None
        What is known of the start; with all three `init_params` is not asked.
    random_state : int, RandomState or None, default=None
    warm_start : bool, default=False
        Begin where the last fit ended.
    verbose, verbose_interval
        Accepted for compatibility: nothing is printed.

    Attributes
    ----------
    weights_, means_, covariances_, precisions_, precisions_cholesky_ : ndarray
    converged_ : bool
    n_iter_ : int
    lower_bound_ : float
        Mean log likelihood before the last step.
    lower_bounds_ : ndarray
        The same before every step of the start that was kept.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[-3.1], [-3.0], [-2.9], [1.0], [2.0], [3.0]])
    >>> model = GaussianMixture(2, random_state=0).fit(X)
    >>> np.sort(model.means_.ravel()).round(3)
    array([-3.,  2.])
    """

    def __init__(
        self,
        n_components: int = 1,
        *,
        covariance_type: str = "full",
        tol: float = 1e-3,
        reg_covar: float = 1e-6,
        max_iter: int = 100,
        n_init: int = 1,
        init_params: str = "kmeans",
        weights_init: Any = None,
        means_init: Any = None,
        precisions_init: Any = None,
        random_state: Any = None,
        warm_start: bool = False,
        verbose: int = 0,
        verbose_interval: int = 10,
    ) -> None:
        self.n_components = n_components
        self.covariance_type = covariance_type
        self.tol = tol
        self.reg_covar = reg_covar
        self.max_iter = max_iter
        self.n_init = n_init
        self.init_params = init_params
        self.weights_init = weights_init
        self.means_init = means_init
        self.precisions_init = precisions_init
        self.random_state = random_state
        self.warm_start = warm_start
        self.verbose = verbose
        self.verbose_interval = verbose_interval

    @whole_or_not_at_all
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Fit the components; return self.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : ignored
        sample_weight : array-like of shape (n_samples,), default=None
            A sample of weight w counts as w samples.
        """
        self._check()
        X = accept_table(self, X, dtype=[np.float64, np.float32], ensure_min_samples=2)
        weights = accept_weights(sample_weight, X)
        if weights is not None and not weights.all():
            X, weights = X[weights > 0.0], weights[weights > 0.0]
        if len(X) < self.n_components:
            raise DataError(
                f"GaussianMixture needs as many samples as components, got n_samples="
                f"{len(X)} for n_components={self.n_components}."
            )
        data = Scales.of(X, weights, self.covariance_type)
        with one_blas_thread():  # between the passes there are small matrices only
            run = self._best(data)
        self._keep(run, data, X.dtype)
        return self

    def fit_predict(self, X: Any, y: Any = None, sample_weight: Any = None) -> Indices:
        """Fit, and return the most probable component of each sample."""
        return self.fit(X, sample_weight=sample_weight).predict(X)

    def predict(self, X: Any) -> Indices:
        """Return the most probable component of each sample."""
        return np.asarray(self._expect(X)[1].argmax(axis=1))

    def predict_proba(self, X: Any) -> Matrix:
        """Return the probability of each component for each sample."""
        return np.asarray(np.exp(self._expect(X)[1]))

    def score_samples(self, X: Any) -> Vector:
        """Return the log density at each sample."""
        return self._expect(X)[0]

    def score(self, X: Any, y: Any = None) -> float:
        """Return the mean log likelihood of samples."""
        return float(self.score_samples(X).mean())

    def sample(self, n_samples: int = 1) -> tuple[Matrix, Indices]:
        """Return new samples of the density, and the components they came from."""
        check_is_fitted(self)
        check_domain("GaussianMixture.sample n_samples", n_samples, whole(1))
        draw = check_random_state(self.random_state)
        counts = draw.multinomial(n_samples, self.weights_ / self.weights_.sum())
        labels = np.repeat(np.arange(len(counts)), counts)
        covariances = Given.of(self).each_full()
        drawn = [
            draw.multivariate_normal(mean, covariance, int(count))
            for mean, covariance, count in zip(
                self.means_, covariances, counts, strict=True
            )
        ]
        return np.vstack(drawn), labels

    def bic(self, X: Any) -> float:
        """Return Bayes' information criterion: the lower the better."""
        n = np.shape(X)[0]
        free = free_parameters(self.covariance_type, *self.means_.shape)
        return float(-2.0 * self.score(X) * n + free * np.log(n))

    def aic(self, X: Any) -> float:
        """Return Akaike's information criterion: the lower the better."""
        free = free_parameters(self.covariance_type, *self.means_.shape)
        return float(-2.0 * self.score(X) * np.shape(X)[0] + 2.0 * free)

    def _check(self) -> None:
        for name in ("n_components", "max_iter", "n_init"):
            domain = whole(0 if name == "max_iter" else 1)
            check_domain(f"GaussianMixture.{name}", getattr(self, name), domain)
        for name in ("tol", "reg_covar"):
            check_domain(f"GaussianMixture.{name}", getattr(self, name), nonnegative)
        check_domain("GaussianMixture.covariance_type", self.covariance_type, _KINDS)
        check_domain("GaussianMixture.init_params", self.init_params, _STARTS)

    def _best(self, data: Scales) -> Ascent:
        kind, k = self.covariance_type, int(self.n_components)
        ridge = data.ridge(float(self.reg_covar), kind)
        budget = (int(self.max_iter), float(self.tol))
        if self.warm_start and hasattr(self, "converged_"):
            old = in_standard(Given.of(self), data)
            return ascend(data, Components.of(kind, *old), ridge, budget)
        known = Given.asked(self, data.rows.shape[1])
        start = Start(self.init_params, *in_standard(known, data))
        draw = check_random_state(self.random_state)
        runs = (
            ascend(data, begin(data, start, (kind, k), ridge, draw), ridge, budget)
            for _ in range(int(self.n_init))
        )
        return max(runs, key=lambda run: run.bounds[-1] if len(run.bounds) else -np.inf)

    def _keep(self, run: Ascent, data: Scales, dtype: Any) -> None:
        kind, found = self.covariance_type, run.components
        self.weights_ = found.weights.astype(dtype)
        means, covariances, factors = from_standard(found, data)
        self.means_, self.covariances_ = means.astype(dtype), covariances.astype(dtype)
        self.precisions_cholesky_ = factors.astype(dtype)
        self.precisions_ = precisions_of(factors, kind).astype(dtype)
        self.converged_, self.n_iter_ = run.converged, len(run.bounds)
        self.lower_bounds_ = run.bounds
        self.lower_bound_ = float(run.bounds[-1]) if len(run.bounds) else -np.inf
        if not run.converged and self.max_iter > 0:
            warnings.warn(
                f"GaussianMixture did not settle in {self.max_iter} steps: raise "
                f"max_iter or tol, or look for degenerate data.",
                ConvergenceWarning,
                stacklevel=4,
            )

    def _expect(self, X: Any) -> tuple[Vector, Matrix]:
        check_is_fitted(self)
        X = accept_table(self, X, dtype=[np.float64, np.float32], reset=False)
        weights = np.asarray(self.weights_, dtype=np.float64)
        means, covariances = self.means_, self.covariances_.astype(np.float64)
        kind = self.covariance_type
        factors: Matrix = self.precisions_cholesky_.astype(np.float64)
        if self.precisions_cholesky_.dtype != np.float64:
            factors = factor_precisions(covariances, kind)
        return expect(
            X.astype(np.float64), Components(kind, weights, means, covariances, factors)
        )
