"""Kernel mean classifier: the nearest class mean, in the space of a kernel."""

from __future__ import annotations

from typing import Any, Self

import numpy as np

from infimum.data.doors import labelled, things
from infimum.errors import DataError
from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.models._kernel_door import gram_of
from infimum.models.kernel._machine import KernelClassifier

__all__ = ["KernelMeanClassifier"]


class KernelMeanClassifier(KernelClassifier):
    r"""Assign each sample to the class whose mean is nearest in feature space.

    .. math:: f_c(x) = ⟨μ_c, Φ(x)⟩ - \tfrac12 \|μ_c\|^2
              = \frac1{m_c} \sum_{y_i = c} k(x_i, x)
                - \frac1{2 m_c^2} \sum_{y_i = y_j = c} k(x_i, x_j)

    The largest :math:`f_c` is the nearest mean. Nothing is optimised: all there is to
    learn are the means, and the samples enter through inner products only. For two
    classes the decision is :math:`f_+ - f_-`, with coefficients :math:`y_i / m_{y_i}`.

    Parameters
    ----------
    kernel, gamma, degree, coef0, kernel_params
        As in `KernelRidge`, with the Gaussian kernel as default.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    dual_coef_ : ndarray of shape (n_classes or 1, n_samples)
    intercept_ : ndarray of shape (n_classes or 1,)
    X_fit_ : the samples; None for a precomputed kernel

    Examples
    --------
    >>> from infimum.kernels import Spectrum
    >>> words = ["banana", "ananas", "cherry", "sherry"]
    >>> model = KernelMeanClassifier(kernel=Spectrum(2))
    >>> model.fit(words, ["a", "a", "b", "b"]).predict(["anna", "merry"]).tolist()
    ['a', 'b']
    >>> model.dual_coef_.tolist()
    [[-0.5, -0.5, 0.5, 0.5]]
    """

    def __init__(
        self,
        *,
        kernel: Any = "rbf",
        gamma: float | None = None,
        degree: float = 3,
        coef0: float = 1,
        kernel_params: dict[str, Any] | None = None,
    ) -> None:
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.kernel_params = kernel_params

    @whole_or_not_at_all
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Take the mean of each class; return self.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features), or a list
            Samples; the kernel matrix if `kernel` is "precomputed".
        y : array-like of shape (n_samples,)
            Labels, of any sortable kind.
        sample_weight : array-like of shape (n_samples,), optional
            A weight of k means the same as k copies of the sample.
        """
        rows = things(self, X, y, sample_weight, door=labelled)
        self.classes_ = rows.classes
        means = (rows.y == np.arange(len(self.classes_))[:, None]) * rows.shares()
        totals = means.sum(axis=1)
        if not totals.all():
            missing = self.classes_[int(np.argmin(totals))]
            raise DataError(
                f"KernelMeanClassifier needs samples of every class, those of "
                f"{missing!r} all have weight 0."
            )
        means = means / totals[:, None]
        squares = np.einsum("ci,ci->c", means @ gram_of(self, rows.X), means)
        if len(self.classes_) == 2:  # noqa: PLR2004
            means, squares = means[1:] - means[:1], squares[1:] - squares[:1]
        self._keep_samples(rows.X)
        self.dual_coef_, self.intercept_ = means, -0.5 * squares
        return self
