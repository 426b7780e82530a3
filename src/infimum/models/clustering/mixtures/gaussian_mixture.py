"""Gaussian mixtures, fitted by expectation and maximisation."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from sklearn.utils import check_random_state

from infimum.compiled.threads import one_blas_thread
from infimum.data.doors import samples
from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.models.clustering.mixtures._mixture_components import Components
from infimum.models.clustering.mixtures._mixture_fit import (
    Ascent,
    Scales,
    Start,
    ascend,
    begin,
)
from infimum.models.clustering.mixtures._mixture_model import MixtureModel
from infimum.models.clustering.mixtures._mixture_parameters import (
    ComponentParameters,
    free_parameters,
    from_standard,
    in_standard,
    precisions_of,
)
from infimum.models.clustering.mixtures._mixture_shapes import factor_precisions
from infimum.models.clustering.mixtures._mixture_steps import expect
from infimum.typing import Matrix, Vector

__all__ = ["GaussianMixture"]


class GaussianMixture(MixtureModel):
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
        X, weights = self._admit(X, sample_weight)
        data = Scales.of(X, weights, self.covariance_type)
        with one_blas_thread():  # between the passes there are small matrices only
            run = self._best(data)
        self._keep(run, data, X.dtype)
        return self

    def bic(self, X: Any) -> float:
        """Return Bayes' information criterion: the lower the better."""
        n = np.shape(X)[0]
        free = free_parameters(self.covariance_type, *self.means_.shape)
        return float(-2.0 * self.score(X) * n + free * np.log(n))

    def aic(self, X: Any) -> float:
        """Return Akaike's information criterion: the lower the better."""
        free = free_parameters(self.covariance_type, *self.means_.shape)
        return float(-2.0 * self.score(X) * np.shape(X)[0] + 2.0 * free)

    def _best(self, data: Scales) -> Ascent:
        kind, k = self.covariance_type, int(self.n_components)
        ridge = data.ridge(float(self.reg_covar), kind)
        budget = (int(self.max_iter), float(self.tol))
        if self.warm_start and hasattr(self, "converged_"):
            old = in_standard(ComponentParameters.of(self), data)
            last = float(self.lower_bound_)
            return ascend(data, Components.of(kind, *old), ridge, budget, last)
        known = ComponentParameters.asked(self, data.rows.shape[1])
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
        self.lower_bound_ = np.float64(run.bounds[-1]) if len(run.bounds) else -np.inf
        self._tell(converged=run.converged)

    def _expect(self, X: Any) -> tuple[Vector, Matrix]:
        X = samples(self, X, moderate=True, accept_sparse=False)
        weights = np.asarray(self.weights_, dtype=np.float64)
        means, covariances = self.means_, self.covariances_.astype(np.float64)
        kind = self.covariance_type
        factors: Matrix = self.precisions_cholesky_.astype(np.float64)
        if self.precisions_cholesky_.dtype != np.float64:
            factors = factor_precisions(covariances, kind)
        return expect(
            X.astype(np.float64), Components(kind, weights, means, covariances, factors)
        )
