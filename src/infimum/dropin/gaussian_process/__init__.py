"""The part of ``sklearn.gaussian_process`` that Infimum offers: all of it.

Kernels of ``sklearn.gaussian_process.kernels`` are understood as they are, and stand
in `kernels` here, too.
"""

from infimum.dropin._others import theirs
from infimum.models.kernel import GaussianProcessClassifier, GaussianProcessRegressor

__all__ = ["GaussianProcessClassifier", "GaussianProcessRegressor"]

__getattr__ = theirs(__name__)
