"""What regressors share whose coefficients are mostly 0."""

from __future__ import annotations

from abc import ABC
from typing import Any

import numpy as np
from scipy import sparse

from infimum.models.linear._multi_target import MultiTargetRegressor

__all__ = ["SparseRegressor"]


class SparseRegressor(MultiTargetRegressor, ABC):
    """A linear model that uses few features; several targets are learnt one by one."""

    @property
    def sparse_coef_(self) -> Any:
        """The coefficients without their zeros."""
        return sparse.csr_array(np.atleast_2d(self.coef_))

    @property
    def dual_gap_(self) -> Any:
        """How far each target's objective can be from the least possible one."""
        gaps = np.array([proof.gap for proof in self.certificates_])
        return float(gaps[0]) if self._one_target else gaps
