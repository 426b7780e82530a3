"""The part of ``sklearn.gaussian_process`` that Infimum offers, under the same names.

Kernels of ``sklearn.gaussian_process.kernels`` are understood as they are.
"""

from infimum.models.kernel import GaussianProcessClassifier, GaussianProcessRegressor

__all__ = ["GaussianProcessClassifier", "GaussianProcessRegressor"]
