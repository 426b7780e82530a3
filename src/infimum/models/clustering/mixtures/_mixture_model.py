"""Base of Gaussian mixtures: predictions, scores and samples of a fitted one."""

from __future__ import annotations

import warnings
from abc import abstractmethod
from typing import Any, ClassVar

import numpy as np
from sklearn.base import BaseEstimator, DensityMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state

from infimum.data.doors import check_fitted, rows
from infimum.errors import DataError
from infimum.models.clustering.mixtures._mixture_parameters import ComponentParameters
from infimum.parameters import (
    Choice,
    Domains,
    check_domain,
    check_parameters,
    nonnegative,
    whole,
)
from infimum.typing import Indices, Matrix, Vector

__all__ = ["MixtureModel"]

_KINDS = Choice(("full", "tied", "diag", "spherical"))
_STARTS = Choice(("kmeans", "k-means++", "random", "random_from_data"))


class MixtureModel(DensityMixin, BaseEstimator):  # type: ignore[misc]
    """A density of several Gaussian components; subclasses tell how it is fitted."""

    _domains: ClassVar[Domains] = {
        "n_components": whole(1),
        "max_iter": whole(0),
        "n_init": whole(1),
        "tol": nonnegative,
        "reg_covar": nonnegative,
        "covariance_type": _KINDS,
        "init_params": _STARTS,
    }

    n_components: int
    max_iter: int
    covariance_type: str
    init_params: str
    random_state: Any
    weights_: Vector
    means_: Matrix

    @abstractmethod
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Any:
        """Fit the components; return self."""

    @abstractmethod
    def _expect(self, X: Any) -> tuple[Vector, Matrix]:
        """Return the log density of each row, and its log share in each component."""

    def fit_predict(self, X: Any, y: Any = None, sample_weight: Any = None) -> Indices:
        """Fit, and return the most probable component of each sample."""
        return np.asarray(self.fit(X, sample_weight=sample_weight).predict(X))

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
        check_fitted(self)
        check_domain(f"{type(self).__name__}.sample n_samples", n_samples, whole(1))
        draw = check_random_state(self.random_state)
        counts = draw.multinomial(n_samples, self.weights_ / self.weights_.sum())
        labels = np.repeat(np.arange(len(counts)), counts)
        covariances = ComponentParameters.of(self).each_full()
        drawn = [
            draw.multivariate_normal(mean, covariance, int(count))
            for mean, covariance, count in zip(
                self.means_, covariances, counts, strict=True
            )
        ]
        return np.vstack(drawn), labels

    def _check(self) -> None:
        check_parameters(self)

    def _admit(self, X: Any, sample_weight: Any) -> tuple[Matrix, Vector | None]:
        rule: Any = {"accept_sparse": False, "ensure_min_samples": 2}
        found = rows(self, X, sample_weight, moderate=True, **rule).of_weight()
        X, weights = found.X, found.weights
        if len(X) < self.n_components:
            raise DataError(
                f"{type(self).__name__} needs as many samples as components, got "
                f"n_samples={len(X)} for n_components={self.n_components}."
            )
        return X, weights

    def _tell(self, *, converged: bool) -> None:
        if not converged and self.max_iter > 0:
            warnings.warn(
                f"{type(self).__name__} did not settle in {self.max_iter} steps: raise "
                "max_iter or tol, or look for degenerate data.",
                ConvergenceWarning,
                stacklevel=5,
            )
