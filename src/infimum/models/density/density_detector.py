"""Density detector: anomalies are where hardly anything has been seen."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, OutlierMixin

from infimum.data.doors import check_fitted
from infimum.errors import DataError, InvalidParameterError
from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.models.density.kernel_density import KernelDensity
from infimum.parameters import (
    Domains,
    Interval,
    check_domain,
    check_parameters,
    nonnegative,
    or_none,
)
from infimum.typing import Vector

__all__ = ["DensityDetector"]


class DensityDetector(OutlierMixin, BaseEstimator):  # type: ignore[misc]
    r"""Anomalies are samples outside of the level set :math:`\{\hat p > τ\}`.

    The density is estimated from normal samples. The level τ is given, or chosen so
    that a share of them falls outside; τ = 0 flags what no window reaches, and is the
    estimate of the support.

    Parameters
    ----------
    bandwidth, kernel, rtol
        As in `KernelDensity`.
    contamination : float, default=0.1
        Share of the training samples outside, in [0, 0.5].
    level : float, optional
        The level τ, instead of `contamination`.

    Attributes
    ----------
    level_ : float
        The level τ.
    offset_ : float
        Its logarithm.
    density_ : KernelDensity
    n_features_in_ : int

    Examples
    --------
    >>> X = [[0.0], [0.1], [0.2], [0.3], [0.4]]
    >>> DensityDetector(bandwidth=0.2, level=0.01).fit(X).predict([[0.2], [3.0]])
    array([ 1, -1])
    """

    _domains: ClassVar[Domains] = {
        "level": or_none(nonnegative),
    }

    def __init__(
        self,
        *,
        bandwidth: Any = 1.0,
        kernel: Any = "gaussian",
        contamination: float = 0.1,
        level: float | None = None,
        rtol: float = 0.0,
    ) -> None:
        self.bandwidth = bandwidth
        self.kernel = kernel
        self.contamination = contamination
        self.level = level
        self.rtol = rtol

    @whole_or_not_at_all
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Learn the density of normal samples, and its level; return self.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : ignored
        sample_weight : array-like of shape (n_samples,), optional
            A weight of k means the same as k copies of the sample.
        """
        domain = Interval(0, 0.5)
        check_domain("DensityDetector.contamination", self.contamination, domain)
        check_parameters(self)
        density = KernelDensity(
            bandwidth=self.bandwidth, kernel=self.kernel, rtol=self.rtol
        )
        try:
            self.density_ = density.fit(X, sample_weight=sample_weight)
        except (DataError, InvalidParameterError) as error:
            message = str(error).replace("KernelDensity", "DensityDetector")
            raise type(error)(message) from None
        self.n_features_in_ = density.n_features_in_
        if hasattr(density, "feature_names_in_"):
            self.feature_names_in_ = density.feature_names_in_
        self.offset_ = self._choose_offset()
        self.level_ = float(np.exp(self.offset_))
        return self

    def score_samples(self, X: Any) -> Vector:
        """Return the log-density at each sample; the higher, the more familiar."""
        check_fitted(self)
        return self.density_.score_samples(X)

    def decision_function(self, X: Any) -> Vector:
        """Return the log-density above the level; what is not positive is outside."""
        scores = self.score_samples(X)
        if np.isneginf(self.offset_):
            return np.where(np.isneginf(scores), -np.inf, np.inf)
        return np.asarray(scores - self.offset_)

    def predict(self, X: Any) -> NDArray[np.intp]:
        """Return 1 for samples inside of the level set and -1 for anomalies."""
        return np.where(self.decision_function(X) > 0, 1, -1)

    def _choose_offset(self) -> float:
        if self.level is not None:
            with np.errstate(divide="ignore"):
                return float(np.log(self.level))
        density = self.density_
        scores = density._log_density(density.X_fit_)
        order = np.argsort(scores, kind="stable")
        mass = np.cumsum(density._weights[order])
        allowed = float(self.contamination) * mass[-1] * (1.0 + 1e-12)
        outside = int(np.searchsorted(mass, allowed, side="right"))
        # Just below the first sample that stays inside.
        return float(np.nextafter(scores[order[outside]], -np.inf))
