"""The part of ``sklearn.kernel_ridge`` that Infimum offers: all of it."""

from infimum.models.kernel import KernelRidge

__all__ = ["KernelRidge"]
