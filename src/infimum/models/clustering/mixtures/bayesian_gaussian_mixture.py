"""Bayesian Gaussian mixtures: a prior lets unneeded components vanish."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
from sklearn.utils import check_random_state

from infimum.compiled.threads import one_blas_thread
from infimum.data.doors import samples
from infimum.errors import DataError, InvalidParameterError
from infimum.limits import in_time
from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.models.clustering.mixtures._mixture_components import (
    Components,
    blank_components,
)
from infimum.models.clustering.mixtures._mixture_fit import Scales, first_shares
from infimum.models.clustering.mixtures._mixture_model import MixtureModel
from infimum.models.clustering.mixtures._mixture_parameters import (
    ComponentParameters,
    areas,
    from_standard,
    precisions_of,
)
from infimum.models.clustering.mixtures._mixture_steps import expect, pass_over
from infimum.models.clustering.mixtures._variational import Belief, Prior, entropy_of
from infimum.parameters import (
    Choice,
    Domains,
    check_domain,
    opened,
    or_none,
    positive,
)
from infimum.typing import Matrix, Vector

__all__ = ["BayesianGaussianMixture"]

_PROCESS, _DIRICHLET = "dirichlet_process", "dirichlet_distribution"
_PRIORS = Choice((_PROCESS, _DIRICHLET))


class BayesianGaussianMixture(MixtureModel):
    r"""A Gaussian mixture that finds how many components it needs.

    Weights, means and precisions have a prior, and the belief about them after the
    samples is kept in the same form (variational inference): it is improved in turn
    with the shares of the samples, and a lower bound on the log evidence rises.
    Weights come from breaking a stick again and again, or from one Dirichlet
    distribution; with a small concentration, components without much support fade.

    Parameters
    ----------
    n_components : int, default=1
        At most so many.
    covariance_type, tol, reg_covar, max_iter, n_init, init_params, random_state
        As in `GaussianMixture`; `tol` is of the lower bound of all samples.
    weight_concentration_prior_type : str, default="dirichlet_process"
        The stick, or "dirichlet_distribution".
    weight_concentration_prior : float, optional
        The smaller, the fewer components; 1/n_components by default.
    mean_precision_prior : float, optional
        For how many samples at `mean_prior` the prior counts; 1 by default.
    mean_prior : array-like of shape (n_features,), optional
        The mean of the samples by default.
    degrees_of_freedom_prior : float, optional
        For how many samples the prior of the covariances counts; `n_features` by
        default.
    covariance_prior : float or array-like, optional
        The covariance of the samples by default, in the form of `covariance_type`.
    warm_start : bool, default=False
        Begin where the last fit ended.
    verbose, verbose_interval
        Accepted for compatibility: nothing is printed.

    Attributes
    ----------
    weights_, means_, covariances_, precisions_, precisions_cholesky_ : ndarray
        What is expected of the components.
    weight_concentration_ : tuple of two arrays, or ndarray
    mean_precision_, degrees_of_freedom_ : ndarray
    weight_concentration_prior_, mean_precision_prior_, mean_prior_, \
degrees_of_freedom_prior_, covariance_prior_
        The priors used.
    converged_ : bool
    n_iter_ : int
    lower_bound_ : float
    lower_bounds_ : ndarray
        After every step of the start that was kept.

    Examples
    --------
    >>> import numpy as np
    >>> draw = np.random.default_rng(0)
    >>> X = np.concatenate([draw.normal(c, 0.3, (60, 1)) for c in (-4.0, 4.0)])
    >>> model = BayesianGaussianMixture(n_components=6, random_state=0, max_iter=900,
    ...                                 weight_concentration_prior=1e-3).fit(X)
    >>> int(np.sum(model.weights_ > 0.05))
    2
    """

    _domains: ClassVar[Domains] = {
        "weight_concentration_prior_type": _PRIORS,
        "weight_concentration_prior": or_none(positive),
        "mean_precision_prior": or_none(positive),
    }

    def __init__(
        self,
        *,
        n_components: int = 1,
        covariance_type: str = "full",
        tol: float = 1e-3,
        reg_covar: float = 1e-6,
        max_iter: int = 100,
        n_init: int = 1,
        init_params: str = "kmeans",
        weight_concentration_prior_type: str = "dirichlet_process",
        weight_concentration_prior: float | None = None,
        mean_precision_prior: float | None = None,
        mean_prior: Any = None,
        degrees_of_freedom_prior: float | None = None,
        covariance_prior: Any = None,
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
        self.weight_concentration_prior_type = weight_concentration_prior_type
        self.weight_concentration_prior = weight_concentration_prior
        self.mean_precision_prior = mean_precision_prior
        self.mean_prior = mean_prior
        self.degrees_of_freedom_prior = degrees_of_freedom_prior
        self.covariance_prior = covariance_prior
        self.random_state = random_state
        self.warm_start = warm_start
        self.verbose = verbose
        self.verbose_interval = verbose_interval

    @whole_or_not_at_all
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Find the belief; return self.

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
        prior = self._prior(data)
        with one_blas_thread():  # between the passes there are small matrices only
            draw = check_random_state(self.random_state)
            runs = [self._run(data, prior, draw) for _ in range(self._starts())]
        belief, bounds, converged = max(runs, key=lambda run: run[1][-1])
        self._keep(belief, data, X.dtype)
        self.converged_, self.n_iter_ = converged, len(bounds) - 1
        self.lower_bounds_ = np.array(bounds[1:])
        self.lower_bound_ = np.float64(bounds[-1])
        self._tell(converged=converged)
        return self

    def _starts(self) -> int:
        return 1 if self.warm_start and hasattr(self, "converged_") else self.n_init

    def _prior(self, data: Scales) -> Prior:
        """Record the priors in the units of the data; return them standardised."""
        d, kind = data.rows.shape[1], self.covariance_type
        known, given = self.weight_concentration_prior, self.mean_precision_prior
        self.weight_concentration_prior_ = (
            1.0 / self.n_components if known is None else float(known)
        )
        self.mean_precision_prior_ = 1.0 if given is None else float(given)
        self.mean_prior_ = _shaped("mean_prior", self.mean_prior, data.mean)
        freedom = self.degrees_of_freedom_prior
        if freedom is not None:
            domain = opened(d - 1.0, np.inf)
            owner = "BayesianGaussianMixture.degrees_of_freedom_prior"
            check_domain(owner, freedom, domain)
        self.degrees_of_freedom_prior_ = d if freedom is None else freedom
        common = _common(data, kind) * areas(kind, data)
        covariance = _shaped("covariance_prior", self.covariance_prior, common)
        if self.covariance_prior is not None:
            _check_positive(covariance)
        self.covariance_prior_ = covariance if covariance.ndim else float(covariance)
        return Prior(
            kind,
            self.weight_concentration_prior_type == _PROCESS,
            self.weight_concentration_prior_,
            self.mean_precision_prior_,
            (self.mean_prior_ - data.mean) / data.scale,
            float(self.degrees_of_freedom_prior_),
            np.asarray(covariance / areas(kind, data)),
            float(np.log(data.scale).sum()),
        )

    def _run(
        self, data: Scales, prior: Prior, draw: Any
    ) -> tuple[Belief, list[float], bool]:
        """Improve shares and beliefs in turn; return the belief and its bounds."""
        ridge = data.ridge(float(self.reg_covar), prior.kind)
        belief, bounds = self._first(data, prior, ridge, draw), [-np.inf]
        for _ in in_time(range(int(self.max_iter))):
            components = belief.components()
            found = pass_over(data.rows, data.weights, data.longest, components)
            belief = prior.learn(found, ridge)
            bounds.append(belief.bound(entropy_of(found, components)))
            gain = abs(bounds[-1] - bounds[-2])
            # A gain below rounding is none, whatever the tolerance.
            if gain < self.tol or gain <= 2.0**-46 * abs(bounds[-1]):
                return belief, bounds, True
        return belief, bounds, False

    def _first(self, data: Scales, prior: Prior, ridge: Matrix, draw: Any) -> Belief:
        k, d = int(self.n_components), data.rows.shape[1]
        if self.warm_start and hasattr(self, "converged_"):
            concentration = np.atleast_2d(np.array(self.weight_concentration_))
            means = (self.means_ - data.mean) / data.scale
            covariances = self.covariances_ / areas(prior.kind, data)
            freedom = self.degrees_of_freedom_ * np.ones(k)
            known = (concentration, self.mean_precision_, means, freedom, covariances)
            return Belief(prior, *known)
        shares = first_shares(data, self.init_params, k, draw)
        frame = blank_components(prior.kind, k, d)
        found = pass_over(data.rows, data.weights, data.longest, frame, shares)
        return prior.learn(found, ridge)

    def _keep(self, belief: Belief, data: Scales, dtype: Any) -> None:
        kind = self.covariance_type
        found = Components.of(kind, belief.weights(), belief.means, belief.covariances)
        means, covariances, factors = from_standard(found, data)
        self.weights_ = found.weights.astype(dtype)
        self.means_, self.covariances_ = means.astype(dtype), covariances.astype(dtype)
        self.precisions_cholesky_ = factors.astype(dtype)
        self.precisions_ = precisions_of(factors, kind).astype(dtype)
        stick, concentration = belief.prior.stick, belief.concentration
        self.weight_concentration_ = tuple(concentration) if stick else concentration[0]
        self.mean_precision_ = belief.mean_precision
        freedom = belief.freedom
        self.degrees_of_freedom_ = float(freedom[0]) if kind == "tied" else freedom

    def _expect(self, X: Any) -> tuple[Vector, Matrix]:
        X = samples(self, X, moderate=True, accept_sparse=False)
        known, kind = ComponentParameters.of(self), self.covariance_type
        stick = self.weight_concentration_prior_type == _PROCESS
        blank = np.empty(0)
        prior = Prior(kind, stick, 1.0, 1.0, blank, 1.0, blank, 0.0)
        freedom = self.degrees_of_freedom_ * np.ones(len(self.means_))
        concentration = np.atleast_2d(np.array(self.weight_concentration_))
        belief = Belief(
            prior, concentration, self.mean_precision_, known.means,  # type: ignore[arg-type]
            freedom, known.covariances,  # type: ignore[arg-type]
        )  # fmt: skip
        return expect(X.astype(np.float64), belief.components())


def _common(data: Scales, kind: str) -> Matrix:
    """Return the covariance of all samples, unbiased, in standardised columns."""
    rows, weights = data.rows, data.weights if data.weights.size else None
    total = float(len(rows)) if weights is None else float(weights.sum())
    scaled = rows if weights is None else rows * weights[:, None]
    # Weights of no more than one sample in all have no unbiased estimate.
    whole = scaled.T @ rows / max(total - 1.0, 0.5 * total)
    if kind in {"full", "tied"}:
        return np.asarray(whole)
    sides = np.diag(whole)
    return np.asarray(sides if kind == "diag" else sides.mean())


def _shaped(name: str, value: Any, default: Any) -> Matrix:
    if value is None:
        return np.asarray(default)
    numbers = np.asarray(value, dtype=np.float64)
    if numbers.shape != np.shape(default) or not np.isfinite(numbers).all():
        raise InvalidParameterError(
            f"BayesianGaussianMixture.{name} must be finite numbers of shape "
            f"{np.shape(default)}, got {value!r}."
        )
    return numbers


def _check_positive(covariance: Matrix) -> None:
    square = covariance.ndim == 2  # noqa: PLR2004
    if square:
        least = float(np.linalg.eigvalsh(covariance).min())
        symmetric = np.allclose(covariance, covariance.T)
    else:
        least, symmetric = float(np.min(covariance)), True
    if least <= 0.0 or not symmetric:
        raise DataError(
            "BayesianGaussianMixture.covariance_prior must be symmetric and positive "
            f"definite, got the least eigenvalue {least:.3g}."
        )
