"""Kernel Fisher discriminant: directions along which classes part."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
from scipy.linalg import cho_factor, cho_solve, eigh
from sklearn.base import (
    ClassNamePrefixFeaturesOutMixin,
    TransformerMixin,
)

from infimum.data.doors import check_fitted, labelled, things
from infimum.errors import DataError
from infimum.models._guarded_fit import whole_or_not_at_all
from infimum.models._kernel_door import gram_of
from infimum.models.kernel._machine import KernelClassifier
from infimum.objectives import KernelCoordinates
from infimum.parameters import Domains, check_parameters, positive
from infimum.typing import Matrix, Vector

__all__ = ["KernelFisherDiscriminant"]

#: Classes are equally far out if they are to this share.
NEARLY = 0.999


class KernelFisherDiscriminant(
    ClassNamePrefixFeaturesOutMixin,  # type: ignore[misc]
    TransformerMixin,  # type: ignore[misc]
    KernelClassifier,
):
    r"""Linear discriminant analysis in the space of a kernel.

    .. math:: \max_w \frac{w^\top S_B w}{w^\top (S_W + αI)\, w}, \qquad
              S_B = \sum_c π_c (μ_c - μ)(μ_c - μ)^\top

    where :math:`S_W` is the covariance within the classes; α keeps the within-class
    spread from vanishing, as it otherwise does in a space with room enough. Classes
    are named by the Gaussian rule with that covariance and the shares π as priors:
    :math:`δ_c(x) = ⟨x, S^{-1} μ_c⟩ - \tfrac12 μ_c^\top S^{-1} μ_c + \log π_c`.

    Parameters
    ----------
    alpha : float, default=0.1
        What is added to the within-class variance in every direction.
    kernel, gamma, degree, coef0, kernel_params
        As in `KernelRidge`, with the Gaussian kernel as default.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    priors_ : ndarray of shape (n_classes,)
    dual_coef_ : ndarray of shape (n_classes or 1, n_samples)
        Coefficients of the discriminants.
    intercept_ : ndarray of shape (n_classes or 1,)
    directions_ : ndarray of shape (n_classes - 1, n_samples)
        Coefficients of the directions w, best first, with unit spread within classes.
    separations_ : ndarray of shape (n_classes - 1,)
        The ratio above, for each direction.
    X_fit_ : the samples; None for a precomputed kernel

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[-3.0], [-2.0], [-0.5], [0.5], [2.0], [3.0]])
    >>> y = ["out", "out", "in", "in", "out", "out"]
    >>> KernelFisherDiscriminant(gamma=0.5).fit(X, y).predict([[0.0], [-2.5]]).tolist()
    ['in', 'out']

    References
    ----------
    Mika, Rätsch, Weston, Schölkopf & Müller (1999), Neural Networks for Signal
    Processing IX.
    """

    _domains: ClassVar[Domains] = {
        "alpha": positive,
    }

    def __init__(
        self,
        alpha: float = 0.1,
        *,
        kernel: Any = "rbf",
        gamma: float | None = None,
        degree: float = 3,
        coef0: float = 1,
        kernel_params: dict[str, Any] | None = None,
    ) -> None:
        self.alpha = alpha
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.kernel_params = kernel_params

    @whole_or_not_at_all
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Find the directions and the discriminants; return self.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features), or a list
            Samples; the kernel matrix if `kernel` is "precomputed".
        y : array-like of shape (n_samples,)
            Labels, of any sortable kind.
        sample_weight : array-like of shape (n_samples,), optional
            A weight of k means the same as k copies of the sample.
        """
        check_parameters(self)
        rows = things(self, X, y, sample_weight, door=labelled)
        self.classes_, codes = rows.classes, rows.y
        shares = rows.shares() / rows.shares().sum()
        self.priors_ = np.bincount(codes, shares, minlength=len(self.classes_))
        if not self.priors_.all():
            missing = self.classes_[int(np.argmin(self.priors_))]
            raise DataError(
                f"KernelFisherDiscriminant needs samples of every class, those of "
                f"{missing!r} all have weight 0."
            )
        space = KernelCoordinates.of(gram_of(self, rows.X))
        means = np.zeros((len(self.classes_), space.root.shape[1]))
        np.add.at(means, codes, shares[:, None] * space.root)
        means /= self.priors_[:, None]
        off = space.root - means[codes]
        within = (off.T * shares) @ off
        within.flat[:: len(within) + 1] += float(self.alpha)
        self._keep_samples(rows.X)
        self._discriminate(space, means, within)
        self._direct(space, means, within)
        return self

    def _discriminate(
        self, space: KernelCoordinates, means: Matrix, within: Matrix
    ) -> None:
        aims = cho_solve(cho_factor(within), means.T)
        offsets = np.log(self.priors_) - 0.5 * np.einsum("cj,jc->c", means, aims)
        coefs = (space.back @ aims).T
        if len(self.classes_) == 2:  # noqa: PLR2004
            coefs, offsets = coefs[1:] - coefs[:1], offsets[1:] - offsets[:1]
        self.dual_coef_, self.intercept_ = coefs, offsets

    def _direct(self, space: KernelCoordinates, means: Matrix, within: Matrix) -> None:
        off = np.sqrt(self.priors_)[:, None] * (means - self.priors_ @ means)
        # S_B has rank below the number of classes: decompose the small matrix.
        aims = cho_solve(cho_factor(within), off.T)
        values, turns = eigh(off @ aims)
        kept = np.arange(len(values))[::-1][: len(self.classes_) - 1]
        lengths = np.sqrt(np.maximum(values[kept], 1e-300))
        self.separations_ = values[kept]
        self._n_features_out = len(kept)
        turns = turns[:, kept] * _sides(turns[:, kept])
        self.directions_ = (space.back @ (aims @ turns / lengths)).T

    def transform(self, X: Any) -> Matrix:
        """Return the coordinates of each sample along the directions."""
        check_fitted(self)
        return np.asarray(self._sum(X, self.directions_.T))


def _sides(turns: Matrix) -> Vector:
    """Return the signs that put the last of the classes furthest out above 0."""
    sizes = np.abs(turns)
    furthest = sizes >= NEARLY * sizes.max(axis=0, initial=0.0)
    last = len(turns) - 1 - np.argmax(furthest[::-1], axis=0)
    return np.where(turns[last, np.arange(turns.shape[1])] < 0.0, -1.0, 1.0)
