"""What machines that learn sums of similarities share."""

from __future__ import annotations

from abc import ABC
from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

from sklearn.base import BaseEstimator

from infimum.kernels import Kernel
from infimum.models._kernel_door import (
    admit_things,
    check_same,
    expand,
    is_precomputed,
    kernel_of,
)
from infimum.typing import Matrix

__all__ = ["KernelMachine", "whole_or_not_at_all"]

Method = TypeVar("Method", bound=Callable[..., Any])


def whole_or_not_at_all(fit: Method) -> Method:
    """Leave a machine as it was when its fit fails: half a new model is none."""

    @wraps(fit)
    def guarded(machine: Any, *given: Any, **named: Any) -> Any:
        before = dict(machine.__dict__)
        try:
            return fit(machine, *given, **named)
        except BaseException:
            machine.__dict__ = before
            raise

    return guarded  # type: ignore[return-value]


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
