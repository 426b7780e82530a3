"""Base of kernel machines: the kernel, the samples kept, and sums over them."""

from __future__ import annotations

from abc import ABC
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin

from infimum.data.doors import check_fitted, things, winners
from infimum.kernels import Kernel
from infimum.models._kernel_door import expand, is_precomputed, kernel_of
from infimum.typing import Matrix, Vector

__all__ = ["KernelClassifier", "KernelMachine"]


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

    def _keep_samples(self, things: Any) -> None:
        self.X_fit_ = None if is_precomputed(self) else things

    def _sum(self, X: Any, coefficients: Matrix) -> Matrix:
        """Return Σ cᵢ k(xᵢ, x) for new things, block by block."""
        given = things(self, X, reset=False).X
        return expand(self, given, self.X_fit_, coefficients)

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
        check_fitted(self)
        scores = np.asarray(self._sum(X, self.dual_coef_.T) + self.intercept_)
        return scores.ravel() if scores.shape[1] == 1 else scores

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the class with the highest score."""
        scores = self.decision_function(X)
        return np.asarray(self.classes_[winners(scores)])
