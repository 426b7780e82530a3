"""When a Gaussian process holds its kernel matrix, and when it does not."""

from typing import Any, ClassVar

import numpy as np
from sklearn.base import BaseEstimator

from infimum.models._kernel_door import is_precomputed
from infimum.models.kernel.kernel_ridges._ridge_fit import MEGABYTE, SOLVERS
from infimum.parameters import Domains, besides, function, positive
from infimum.typing import Indices

__all__ = ["ProcessMemory"]

#: Bytes per entry of the kernel matrix, its factor, its inverse and its slopes.
BYTES_PER_PAIR = 40
#: Samples whose evidence chooses the kernel when there are too many for all.
FEWER = 2_000


class ProcessMemory(BaseEstimator):  # type: ignore[misc]
    """The choice between a factorisation and tiles, by the bound that was set."""

    _domains: ClassVar[Domains] = {
        "solver": SOLVERS,
        "cache_size": positive,
        "optimizer": besides(function, "fmin_l_bfgs_b", None),
    }

    kernel: Any
    solver: str
    cache_size: float

    def _fits(self, n: int) -> bool:
        """Tell whether the kernel matrix of n samples is held and factorised."""
        if is_precomputed(self) or self.solver == "cholesky":
            return True
        wanted = BYTES_PER_PAIR * n**2
        return self.solver == "auto" and wanted <= self.cache_size * MEGABYTE

    def _tuning_rows(self, n: int, draw: Any) -> Indices:
        """Return the samples whose evidence chooses the kernel: all, or some."""
        if self._fits(n) or n <= FEWER:
            return np.arange(n)
        return np.sort(np.asarray(draw.choice(n, FEWER, replace=False)))

    @property
    def _capacity(self) -> int:
        """Most kernel values to keep."""
        return int(self.cache_size * MEGABYTE / 8)
