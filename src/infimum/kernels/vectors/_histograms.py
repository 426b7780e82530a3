"""The check of histograms: rows without negative entries."""

from typing import Any

from infimum.errors import DataError
from infimum.kernels._kernel import Kernel

__all__ = ["accept_histograms"]


def accept_histograms(kernel: Kernel, *matrices: Any) -> None:
    """Refuse negative entries: a bar of a histogram has no negative height."""
    for X in matrices:
        if min(X.shape) and X.min() < 0:
            raise DataError(
                f"{type(kernel).__name__} expects histograms, that is, vectors without "
                f"negative entries; the smallest entry is {X.min():g}."
            )
