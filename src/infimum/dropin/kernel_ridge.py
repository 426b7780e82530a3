"""The part of ``sklearn.kernel_ridge`` that Infimum offers: all of it."""

from infimum.dropin._others import theirs
from infimum.models.kernel import KernelRidge

__all__ = ["KernelRidge"]

__getattr__ = theirs(__name__)
