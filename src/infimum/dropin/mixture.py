"""The whole of ``sklearn.mixture``, under the same names."""

from infimum.models.clustering import BayesianGaussianMixture, GaussianMixture

__all__ = ["BayesianGaussianMixture", "GaussianMixture"]
