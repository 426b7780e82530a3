"""The whole of ``sklearn.mixture``, under the same names."""

from infimum.dropin._others import theirs
from infimum.models.clustering import BayesianGaussianMixture, GaussianMixture

__all__ = ["BayesianGaussianMixture", "GaussianMixture"]

__getattr__ = theirs(__name__)
