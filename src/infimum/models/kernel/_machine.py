"""What machines that learn sums of similarities share."""

from __future__ import annotations

from abc import ABC
from typing import Any

from sklearn.base import BaseEstimator

from infimum.kernels import Kernel
from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.models._kernel_door import (
    admit_things,
    check_same,
    expand,
    is_precomputed,
    kernel_of,
)
from infimum.typing import Matrix

__all__ = ["KernelMachine", "whole_or_not_at_all"]


class KernelMachine(BaseEstimator, ABC):  # type: ignore[misc]
    """A function x ↦ Σ cᵢ k(xᵢ, x): samples are met through a kernel only.

    Things may be rows of a table or, for a kernel that compares such, strings, graphs
    or sets in a list.
    """

    kernel: Any
    X_fit_: Any

    @property
    def kernel_(self) -> Kernel | None:
        """The kernel in use; None for "precomputed"."""
        return kernel_of(self)

    def _remember(self, things: Any) -> None:
        self.X_fit_ = None if is_precomputed(self) else things

    def _sum(self, X: Any, coefficients: Matrix) -> Matrix:
        """Return Σ cᵢ k(xᵢ, x) for new things, block by block."""
        return expand(self, admit_things(self, X), self.X_fit_, coefficients)

    def _accept_again(self, X: Any) -> None:
        """Refuse things that are not those of the fit."""
        check_same(self, X)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.pairwise = is_precomputed(self)
        return tags
