"""The part of ``sklearn.mixture`` that Infimum offers, under the same names."""

from infimum.models.clustering import BayesianGaussianMixture, GaussianMixture

__all__ = ["BayesianGaussianMixture", "GaussianMixture"]
