"""What machines that learn sums of similarities share."""

from __future__ import annotations

from abc import ABC
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from infimum.kernels import Kernel
from infimum.models._kernel_door import (
    admit_things,
    check_same,
    expand,
    is_precomputed,
    kernel_of,
)
from infimum.typing import Matrix, Vector

__all__ = ["KernelClassifier", "KernelMachine"]

TWO = 2


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


class KernelClassifier(ClassifierMixin, KernelMachine, ABC):  # type: ignore[misc]
    """A machine that names a class: one score per class, or one for two classes."""

    classes_: NDArray[Any]
    dual_coef_: Any
    intercept_: Any

    def decision_function(self, X: Any) -> Vector:
        """Return one score per sample (two classes) or per sample and class."""
        check_is_fitted(self)
        scores = np.asarray(self._sum(X, self.dual_coef_.T) + self.intercept_)
        return scores.ravel() if scores.shape[1] == 1 else scores

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the class with the highest score."""
        scores = self.decision_function(X)
        winners = (scores > 0).astype(int) if scores.ndim == 1 else scores.argmax(1)
        return np.asarray(self.classes_[winners])

    def _sides(self, codes: NDArray[np.intp]) -> Matrix:
        """Return ±1 for each class against the rest; of two, for the second alone."""
        count = len(self.classes_)
        rows = np.arange(count) if count > TWO else np.array([1])
        return np.where(codes == rows[:, None], 1.0, -1.0)
